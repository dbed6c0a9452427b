%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.ByteAddressBuffer = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %3 = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %4 = call i32 @dx.op.threadId.i32(i32 93, i32 1)
  %5 = alloca [6 x float], align 4
  %6 = shl i32 %4, 3
  %7 = add i32 %6, %3
  %8 = shl i32 %7, 2
  %9 = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %2, i32 %8, i32 undef, i8 1, i32 4)
  %10 = extractvalue %dx.types.ResRet.i32 %9, 0
  %11 = bitcast i32 %10 to float
  %12 = sext i32 %10 to i64
  %13 = mul nsw i64 %12, 1234567890123
  %14 = zext i32 %7 to i64
  %15 = and i64 %14, 63
  %16 = shl i64 %14, %15
  %17 = fptrunc float %11 to half
  %18 = fmul fast half %17, 0xH2E66
  %19 = uitofp i32 %7 to half
  %20 = fadd fast half %18, %19
  %21 = fpext float %11 to double
  %22 = fmul fast double %21, 1.000000e-03
  %23 = fadd fast double %22, 2.500000e+00
  %24 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 0
  %25 = bitcast float* %24 to i32*
  store i32 %10, i32* %25, align 4, !tbaa !12
  %26 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 1
  %27 = fmul fast float %11, 2.000000e+00
  store float %27, float* %26, align 4, !tbaa !12
  %28 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 2
  %29 = fdiv fast float 1.000000e+00, %11
  store float %29, float* %28, align 4, !tbaa !12
  %30 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 3
  %31 = call float @dx.op.unary.f32(i32 6, float %11)
  %32 = call float @dx.op.unary.f32(i32 24, float %31)
  store float %32, float* %30, align 4, !tbaa !12
  %33 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 4
  store float 0x3FB99999A0000000, float* %33, align 4, !tbaa !12
  %34 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 5
  store float 0x46293E5940000000, float* %34, align 4, !tbaa !12
  %35 = and i32 %7, 7
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %55, label %37
; <label>:37
  %38 = and i32 %7, 7
  br label %39
; <label>:39
  %40 = phi float [ %51, %39 ], [ 0.000000e+00, %37 ]
  %41 = phi i32 [ %52, %39 ], [ 0, %37 ]
  %42 = fpext half %20 to float
  %43 = urem i32 %41, 6
  %44 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 %43
  %45 = load float, float* %44, align 4, !tbaa !12
  %46 = fadd fast float %45, %42
  store float %46, float* %44, align 4, !tbaa !12
  %47 = mul nuw nsw i32 %41, 5
  %48 = urem i32 %47, 6
  %49 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 %48
  %50 = load float, float* %49, align 4, !tbaa !12
  %51 = fadd fast float %50, %40
  %52 = add nuw nsw i32 %41, 1
  %53 = icmp eq i32 %52, %38
  br i1 %53, label %54, label %39
; <label>:54
  br label %55
; <label>:55
  %56 = phi float [ 0.000000e+00, %0 ], [ %51, %54 ]
  %57 = icmp slt i32 %10, 0
  %58 = fcmp fast oge float %11, %56
  %59 = xor i1 %57, %58
  %60 = lshr i64 %13, 32
  %61 = xor i64 %60, %16
  %62 = trunc i64 %61 to i32
  %63 = bitcast float %56 to i32
  %64 = shl i32 %7, 16
  %65 = add i32 %64, -19660800
  %66 = ashr exact i32 %65, 16
  %67 = xor i32 %62, %66
  %68 = xor i32 %67, %63
  %69 = call i1 @dx.op.isSpecialFloat.f32(i32 8, float %11)
  %70 = fcmp fast oeq float %11, 0x7FF0000000000000
  %71 = or i1 %70, %69
  %72 = select i1 %71, i32 2143289344, i32 %68
  %73 = xor i1 %59, true
  %74 = sext i1 %73 to i32
  %75 = xor i32 %72, %74
  %76 = fptosi double %23 to i32
  %77 = shl i32 %7, 3
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %1, i32 %77, i32 undef, i32 %75, i32 %76, i32 undef, i32 undef, i8 3, i32 4)
  ret void
}
declare i32 @dx.op.threadId.i32(i32, i32) readnone
declare %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32, %dx.types.Handle, i32, i32, i8, i32) readonly
declare float @dx.op.unary.f32(i32, float) readnone
declare i1 @dx.op.isSpecialFloat.f32(i32, float) readnone
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32)
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) readonly
!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!9}
!0 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!1 = !{i32 1, i32 2}
!2 = !{i32 1, i32 7}
!3 = !{!"cs", i32 6, i32 2}
!4 = !{!5, !7, null, null}
!5 = !{!6}
!6 = !{i32 0, %struct.ByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i32 0, null}
!7 = !{!8}
!8 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!9 = !{void ()* @main, !"main", null, !4, !10}
!10 = !{i32 0, i64 9437300, i32 4, !11}
!11 = !{i32 8, i32 8, i32 1}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !14, i64 0}
!14 = !{!"omnipotent char", !15, i64 0}
!15 = !{!"Simple C/C++ TBAA"}
