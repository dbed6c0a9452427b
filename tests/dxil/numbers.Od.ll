%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.ByteAddressBuffer = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
@dx.nothing.a = internal constant [1 x i32] zeroinitializer
define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %3 = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %4 = call i32 @dx.op.threadId.i32(i32 93, i32 1)
  %5 = alloca [6 x float], align 4
  %6 = mul i32 8, %4
  %7 = add i32 %3, %6
  %8 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %9 = mul i32 4, %7
  %10 = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %2, i32 %9, i32 undef, i8 1, i32 4)
  %11 = extractvalue %dx.types.ResRet.i32 %10, 0
  %12 = bitcast i32 %11 to float
  %13 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %14 = bitcast float %12 to i32
  %15 = sext i32 %14 to i64
  %16 = mul nsw i64 %15, 1234567890123
  %17 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %18 = zext i32 %7 to i64
  %19 = and i32 %7, 63
  %20 = zext i32 %19 to i64
  %21 = and i64 %20, 63
  %22 = shl i64 %18, %21
  %23 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %24 = fptrunc float %12 to half
  %25 = fmul fast half %24, 0xH2E66
  %26 = uitofp i32 %7 to half
  %27 = fadd fast half %25, %26
  %28 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %29 = trunc i32 %7 to i16
  %30 = sub nsw i16 %29, 300
  %31 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %32 = fpext float %12 to double
  %33 = fmul fast double %32, 1.000000e-03
  %34 = fadd fast double %33, 2.500000e+00
  %35 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %36 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 0
  %37 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float %12, float* %36
  %38 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 1
  %39 = fmul fast float %12, 2.000000e+00
  %40 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float %39, float* %38
  %41 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 2
  %42 = fdiv fast float 1.000000e+00, %12
  %43 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float %42, float* %41
  %44 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 3
  %45 = call float @dx.op.unary.f32(i32 6, float %12)
  %46 = call float @dx.op.unary.f32(i32 24, float %45)
  %47 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float %46, float* %44
  %48 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 4
  %49 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float 0x3FB99999A0000000, float* %48
  %50 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 5
  %51 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float 0x46293E5940000000, float* %50
  %52 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %53 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %54 = and i32 %7, 7
  %55 = icmp ult i32 0, %54
  br i1 %55, label %56, label %81
; <label>:56
  br label %57
; <label>:57
  %58 = phi float [ 0.000000e+00, %56 ], [ %70, %72 ]
  %59 = phi i32 [ 0, %56 ], [ %73, %72 ]
  %60 = fpext half %27 to float
  %61 = urem i32 %59, 6
  %62 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 %61
  %63 = load float, float* %62, align 4
  %64 = fadd fast float %63, %60
  %65 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store float %64, float* %62, align 4
  %66 = mul i32 %59, 5
  %67 = urem i32 %66, 6
  %68 = getelementptr inbounds [6 x float], [6 x float]* %5, i32 0, i32 %67
  %69 = load float, float* %68, align 4
  %70 = fadd fast float %58, %69
  %71 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %72
; <label>:72
  %73 = add i32 %59, 1
  %74 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %75 = and i32 %7, 7
  %76 = icmp ult i32 %73, %75
  %77 = icmp ne i1 %76, false
  %78 = icmp ne i1 %77, false
  br i1 %78, label %57, label %79
; <label>:79
  %80 = phi float [ %70, %72 ]
  br label %81
; <label>:81
  %82 = phi float [ %80, %79 ], [ 0.000000e+00, %0 ]
  %83 = icmp slt i64 %16, 0
  %84 = icmp ne i1 %83, false
  %85 = fcmp fast oge float %12, %82
  %86 = icmp ne i1 %85, false
  %87 = icmp ne i1 %84, %86
  %88 = icmp ne i1 %87, false
  %89 = zext i1 %88 to i32
  %90 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %91 = ashr i64 %16, 32
  %92 = trunc i64 %91 to i32
  %93 = trunc i64 %22 to i32
  %94 = xor i32 %92, %93
  %95 = bitcast float %82 to i32
  %96 = xor i32 %94, %95
  %97 = sext i16 %30 to i32
  %98 = xor i32 %96, %97
  %99 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %100 = call i1 @dx.op.isSpecialFloat.f32(i32 8, float %12)
  %101 = fcmp fast oeq float %12, 0x7FF0000000000000
  %102 = icmp ne i1 %101, false
  %103 = or i1 %100, %102
  %104 = icmp ne i1 %103, false
  br i1 %104, label %105, label %107
; <label>:105
  %106 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %107
; <label>:107
  %108 = phi i32 [ 2143289344, %105 ], [ %98, %81 ]
  %109 = icmp ne i32 %89, 0
  %110 = xor i32 %108, -1
  %111 = select i1 %109, i32 %108, i32 %110
  %112 = fptosi double %34 to i32
  %113 = mul i32 8, %7
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %1, i32 %113, i32 undef, i32 %111, i32 %112, i32 undef, i32 undef, i8 3, i32 4)
  %114 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
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
!10 = !{i32 0, i64 9437301, i32 4, !11}
!11 = !{i32 8, i32 8, i32 1}
