%"class.Texture2D<vector<float, 4> >" = type { <4 x float>, %"class.Texture2D<vector<float, 4> >::mips_type" }
%"class.Texture2D<vector<float, 4> >::mips_type" = type { i32 }
%"class.Texture2DArray<float>" = type { float, %"class.Texture2DArray<float>::mips_type" }
%"class.Texture2DArray<float>::mips_type" = type { i32 }
%Scene = type { [4 x %struct.Light], i32, float }
%dx.types.CBufRet.f32 = type { float, float, float, float }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.ResourceProperties = type { i32, i32 }
%struct.Light = type { <3 x float>, float, <3 x float>, i32 }
%struct.SamplerComparisonState = type { i32 }
%struct.SamplerState = type { i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 0 }, i32 1, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind zeroinitializer, i32 0, i1 false)
  %3 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 3 }, i32 1, i1 false)
  %4 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 3 }, i32 0, i1 false)
  %5 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 2 }, i32 0, i1 false)
  %6 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %5, %dx.types.ResourceProperties { i32 13, i32 136 })
  %7 = call i32 @dx.op.loadInput.i32(i32 4, i32 4, i32 0, i8 0, i32 undef)
  %8 = icmp ne i32 %7, 0
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 3, i32 0, i8 0, i32 undef)
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 3, i32 0, i8 1, i32 undef)
  %11 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)
  %12 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 undef)
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 1, i32 undef)
  %14 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 2, i32 undef)
  %15 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %2, %dx.types.ResourceProperties { i32 2, i32 1033 })
  %16 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %4, %dx.types.ResourceProperties { i32 14, i32 0 })
  %17 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %15, %dx.types.Handle %16, float %9, float %10, float undef, float undef, i32 0, i32 0, i32 undef, float undef)
  %18 = extractvalue %dx.types.ResRet.f32 %17, 0
  %19 = extractvalue %dx.types.ResRet.f32 %17, 1
  %20 = extractvalue %dx.types.ResRet.f32 %17, 2
  %21 = extractvalue %dx.types.ResRet.f32 %17, 3
  %22 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 8)
  %23 = extractvalue %dx.types.CBufRet.f32 %22, 1
  %24 = fcmp fast olt float %21, %23
  br i1 %24, label %25, label %26
; <label>:25
  call void @dx.op.discard(i32 82, i1 true)
  br label %26
; <label>:26
  %27 = fmul fast float %18, 0x3FA99999A0000000
  %28 = fmul fast float %19, 0x3FA99999A0000000
  %29 = fmul fast float %20, 0x3FA99999A0000000
  %30 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %6, i32 8)
  %31 = extractvalue %dx.types.CBufRet.i32 %30, 0
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %35, label %33
; <label>:33
  br label %50
; <label>:34
  br label %35
; <label>:35
  %36 = phi float [ %27, %26 ], [ %94, %34 ]
  %37 = phi float [ %28, %26 ], [ %95, %34 ]
  %38 = phi float [ %29, %26 ], [ %96, %34 ]
  %39 = fsub fast float -0.000000e+00, %36
  %40 = fsub fast float -0.000000e+00, %37
  %41 = fsub fast float -0.000000e+00, %38
  %42 = select i1 %8, float %36, float %39
  %43 = select i1 %8, float %37, float %40
  %44 = select i1 %8, float %38, float %41
  %45 = call float @dx.op.unary.f32(i32 83, float %9)
  %46 = call float @dx.op.unary.f32(i32 6, float %45)
  %47 = call float @dx.op.unary.f32(i32 84, float %9)
  %48 = call float @dx.op.unary.f32(i32 6, float %47)
  %49 = fadd fast float %48, %46
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %42)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %43)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %44)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %49)
  call void @dx.op.storeOutput.i32(i32 5, i32 1, i32 0, i8 0, i32 %11)
  ret void
; <label>:50
  %51 = phi float [ %94, %93 ], [ %27, %33 ]
  %52 = phi float [ %95, %93 ], [ %28, %33 ]
  %53 = phi float [ %96, %93 ], [ %29, %33 ]
  %54 = phi i32 [ %97, %93 ], [ 0, %33 ]
  %55 = shl i32 %54, 1
  %56 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 %55)
  %57 = extractvalue %dx.types.CBufRet.f32 %56, 0
  %58 = extractvalue %dx.types.CBufRet.f32 %56, 1
  %59 = extractvalue %dx.types.CBufRet.f32 %56, 2
  %60 = fsub fast float %57, %12
  %61 = fsub fast float %58, %13
  %62 = fsub fast float %59, %14
  %63 = call float @dx.op.dot3.f32(i32 55, float %60, float %61, float %62, float %60, float %61, float %62)
  %64 = extractvalue %dx.types.CBufRet.f32 %56, 3
  %65 = fcmp fast ogt float %63, %64
  br i1 %65, label %93, label %66, !dx.controlflow.hints !32
; <label>:66
  %67 = uitofp i32 %11 to float
  %68 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %1, %dx.types.ResourceProperties { i32 7, i32 265 })
  %69 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %3, %dx.types.ResourceProperties { i32 32782, i32 0 })
  %70 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %68, %dx.types.Handle %69, float %9, float %10, float %67, float undef, i32 0, i32 0, i32 undef, float %62)
  %71 = extractvalue %dx.types.ResRet.f32 %70, 0
  %72 = or i32 %55, 1
  %73 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 %72)
  %74 = extractvalue %dx.types.CBufRet.f32 %73, 0
  %75 = extractvalue %dx.types.CBufRet.f32 %73, 1
  %76 = extractvalue %dx.types.CBufRet.f32 %73, 2
  %77 = fmul fast float %74, %71
  %78 = fmul fast float %75, %71
  %79 = fmul fast float %76, %71
  %80 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %6, i32 %72)
  %81 = extractvalue %dx.types.CBufRet.i32 %80, 3
  %82 = icmp eq i32 %81, 1
  br i1 %82, label %85, label %83
; <label>:83
  %84 = call float @dx.op.unary.f32(i32 7, float %61)
  br label %85
; <label>:85
  %86 = phi float [ %84, %83 ], [ 1.000000e+00, %66 ]
  %87 = fmul fast float %77, %86
  %88 = fmul fast float %78, %86
  %89 = fmul fast float %79, %86
  %90 = fadd fast float %87, %51
  %91 = fadd fast float %88, %52
  %92 = fadd fast float %89, %53
  br label %93
; <label>:93
  %94 = phi float [ %90, %85 ], [ %51, %50 ]
  %95 = phi float [ %91, %85 ], [ %52, %50 ]
  %96 = phi float [ %92, %85 ], [ %53, %50 ]
  %97 = add i32 %54, 1
  %98 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %6, i32 8)
  %99 = extractvalue %dx.types.CBufRet.i32 %98, 0
  %100 = icmp ult i32 %97, %99
  br i1 %100, label %50, label %34, !llvm.loop !33
}
declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32) readnone
declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32) readnone
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
declare void @dx.op.storeOutput.i32(i32, i32, i32, i8, i32)
declare void @dx.op.discard(i32, i1)
declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float) readonly
declare float @dx.op.dot3.f32(i32, float, float, float, float, float, float) readnone
declare %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float) readonly
declare float @dx.op.unary.f32(i32, float) readnone
declare %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32, %dx.types.Handle, i32) readonly
declare %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32, %dx.types.Handle, i32) readonly
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) readnone
declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1) readnone
!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.viewIdState = !{!14}
!dx.entryPoints = !{!15}
!0 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!1 = !{i32 1, i32 6}
!2 = !{i32 1, i32 7}
!3 = !{!"ps", i32 6, i32 6}
!4 = !{!5, null, !9, !11}
!5 = !{!6, !8}
!6 = !{i32 0, %"class.Texture2D<vector<float, 4> >"* undef, !"", i32 0, i32 0, i32 1, i32 2, i32 0, !7}
!7 = !{i32 0, i32 9}
!8 = !{i32 1, %"class.Texture2DArray<float>"* undef, !"", i32 0, i32 1, i32 1, i32 7, i32 0, !7}
!9 = !{!10}
!10 = !{i32 0, %Scene* undef, !"", i32 0, i32 0, i32 1, i32 136, null}
!11 = !{!12, !13}
!12 = !{i32 0, %struct.SamplerState* undef, !"", i32 0, i32 0, i32 1, i32 0, null}
!13 = !{i32 1, %struct.SamplerComparisonState* undef, !"", i32 0, i32 1, i32 1, i32 1, null}
!14 = !{[16 x i32] [i32 14, i32 5, i32 0, i32 0, i32 0, i32 0, i32 7, i32 7, i32 7, i32 0, i32 23, i32 7, i32 0, i32 0, i32 15, i32 7]}
!15 = !{void ()* @main, !"main", !16, !4, null}
!16 = !{!17, !27, null}
!17 = !{!18, !20, !22, !24, !26}
!18 = !{i32 0, !"SV_Position", i8 9, i8 3, !19, i8 4, i32 1, i8 4, i32 0, i8 0, null}
!19 = !{i32 0}
!20 = !{i32 1, !"WORLD", i8 9, i8 0, !19, i8 2, i32 1, i8 3, i32 1, i8 0, !21}
!21 = !{i32 3, i32 7}
!22 = !{i32 2, !"LAYER", i8 5, i8 0, !19, i8 1, i32 1, i8 1, i32 2, i8 0, !23}
!23 = !{i32 3, i32 1}
!24 = !{i32 3, !"TEXCOORD", i8 9, i8 0, !19, i8 2, i32 1, i8 2, i32 3, i8 0, !25}
!25 = !{i32 3, i32 3}
!26 = !{i32 4, !"SV_IsFrontFace", i8 5, i8 13, !19, i8 1, i32 1, i8 1, i32 2, i8 1, !23}
!27 = !{!28, !30}
!28 = !{i32 0, !"SV_Target", i8 9, i8 16, !19, i8 0, i32 1, i8 4, i32 0, i8 0, !29}
!29 = !{i32 3, i32 15}
!30 = !{i32 1, !"SV_Target", i8 5, i8 16, !31, i8 0, i32 1, i8 1, i32 1, i8 0, !23}
!31 = !{i32 1}
!32 = distinct !{!32, !"dx.controlflow.hints", i32 1}
!33 = distinct !{!33, !34}
!34 = !{!"llvm.loop.unroll.disable"}
