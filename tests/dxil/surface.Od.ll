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
@dx.nothing.a = internal constant [1 x i32] zeroinitializer
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
  %15 = zext i1 %8 to i32
  %16 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %2, %dx.types.ResourceProperties { i32 2, i32 1033 })
  %17 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %4, %dx.types.ResourceProperties { i32 14, i32 0 })
  %18 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %16, %dx.types.Handle %17, float %9, float %10, float undef, float undef, i32 0, i32 0, i32 undef, float undef)
  %19 = extractvalue %dx.types.ResRet.f32 %18, 0
  %20 = extractvalue %dx.types.ResRet.f32 %18, 1
  %21 = extractvalue %dx.types.ResRet.f32 %18, 2
  %22 = extractvalue %dx.types.ResRet.f32 %18, 3
  %23 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %24 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 8)
  %25 = extractvalue %dx.types.CBufRet.f32 %24, 1
  %26 = fcmp fast olt float %22, %25
  %27 = icmp ne i1 %26, false
  %28 = icmp ne i1 %27, false
  br i1 %28, label %29, label %30
; <label>:29
  call void @dx.op.discard(i32 82, i1 true)
  br label %30
; <label>:30
  %31 = fmul fast float 0x3FA99999A0000000, %19
  %32 = fmul fast float 0x3FA99999A0000000, %20
  %33 = fmul fast float 0x3FA99999A0000000, %21
  %34 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %35 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %36 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %6, i32 8)
  %37 = extractvalue %dx.types.CBufRet.i32 %36, 0
  %38 = icmp ult i32 0, %37
  br i1 %38, label %39, label %116
; <label>:39
  br label %40
; <label>:40
  %41 = phi float [ %31, %39 ], [ %102, %101 ]
  %42 = phi float [ %32, %39 ], [ %103, %101 ]
  %43 = phi float [ %33, %39 ], [ %104, %101 ]
  %44 = phi i32 [ 0, %39 ], [ %105, %101 ]
  %45 = mul i32 %44, 2
  %46 = add i32 0, %45
  %47 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 %46)
  %48 = extractvalue %dx.types.CBufRet.f32 %47, 0
  %49 = extractvalue %dx.types.CBufRet.f32 %47, 1
  %50 = extractvalue %dx.types.CBufRet.f32 %47, 2
  %51 = fsub fast float %48, %12
  %52 = fsub fast float %49, %13
  %53 = fsub fast float %50, %14
  %54 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %55 = call float @dx.op.dot3.f32(i32 55, float %51, float %52, float %53, float %51, float %52, float %53)
  %56 = mul i32 %44, 2
  %57 = add i32 0, %56
  %58 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 %57)
  %59 = extractvalue %dx.types.CBufRet.f32 %58, 3
  %60 = fcmp fast ogt float %55, %59
  %61 = icmp ne i1 %60, false
  %62 = icmp ne i1 %61, false
  br i1 %62, label %63, label %64, !dx.controlflow.hints !33
; <label>:63
  br label %101
; <label>:64
  %65 = uitofp i32 %11 to float
  %66 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %1, %dx.types.ResourceProperties { i32 7, i32 265 })
  %67 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %3, %dx.types.ResourceProperties { i32 32782, i32 0 })
  %68 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %66, %dx.types.Handle %67, float %9, float %10, float %65, float undef, i32 0, i32 0, i32 undef, float %53)
  %69 = extractvalue %dx.types.ResRet.f32 %68, 0
  %70 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %71 = mul i32 %44, 2
  %72 = add i32 0, %71
  %73 = add i32 %72, 1
  %74 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %6, i32 %73)
  %75 = extractvalue %dx.types.CBufRet.f32 %74, 0
  %76 = extractvalue %dx.types.CBufRet.f32 %74, 1
  %77 = extractvalue %dx.types.CBufRet.f32 %74, 2
  %78 = fmul fast float %75, %69
  %79 = fmul fast float %76, %69
  %80 = fmul fast float %77, %69
  %81 = mul i32 %44, 2
  %82 = add i32 0, %81
  %83 = add i32 %82, 1
  %84 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %6, i32 %83)
  %85 = extractvalue %dx.types.CBufRet.i32 %84, 3
  %86 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %87 = icmp eq i32 %85, 1
  br i1 %87, label %88, label %89
; <label>:88
  br label %91
; <label>:89
  %90 = call float @dx.op.unary.f32(i32 7, float %52)
  br label %91
; <label>:91
  %92 = phi float [ 1.000000e+00, %88 ], [ %90, %89 ]
  %93 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %94 = fmul fast float %78, %92
  %95 = fmul fast float %79, %92
  %96 = fmul fast float %80, %92
  %97 = fadd fast float %41, %94
  %98 = fadd fast float %42, %95
  %99 = fadd fast float %43, %96
  %100 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %101
; <label>:101
  %102 = phi float [ %41, %63 ], [ %97, %91 ]
  %103 = phi float [ %42, %63 ], [ %98, %91 ]
  %104 = phi float [ %43, %63 ], [ %99, %91 ]
  %105 = add i32 %44, 1
  %106 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %107 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %6, i32 8)
  %108 = extractvalue %dx.types.CBufRet.i32 %107, 0
  %109 = icmp ult i32 %105, %108
  %110 = icmp ne i1 %109, false
  %111 = icmp ne i1 %110, false
  br i1 %111, label %40, label %112, !llvm.loop !34
; <label>:112
  %113 = phi float [ %104, %101 ]
  %114 = phi float [ %103, %101 ]
  %115 = phi float [ %102, %101 ]
  br label %116
; <label>:116
  %117 = phi float [ %115, %112 ], [ %31, %30 ]
  %118 = phi float [ %114, %112 ], [ %32, %30 ]
  %119 = phi float [ %113, %112 ], [ %33, %30 ]
  %120 = icmp ne i32 %15, 0
  %121 = fsub fast float -0.000000e+00, %117
  %122 = fsub fast float -0.000000e+00, %118
  %123 = fsub fast float -0.000000e+00, %119
  %124 = select i1 %120, float %117, float %121
  %125 = select i1 %120, float %118, float %122
  %126 = select i1 %120, float %119, float %123
  %127 = call float @dx.op.unary.f32(i32 83, float %9)
  %128 = call float @dx.op.unary.f32(i32 6, float %127)
  %129 = call float @dx.op.unary.f32(i32 84, float %9)
  %130 = call float @dx.op.unary.f32(i32 6, float %129)
  %131 = fadd fast float %128, %130
  %132 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %133 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %134 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %124)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %125)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %126)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %131)
  call void @dx.op.storeOutput.i32(i32 5, i32 1, i32 0, i8 0, i32 %11)
  %135 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  ret void
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
!15 = !{void ()* @main, !"main", !16, !4, !32}
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
!32 = !{i32 0, i64 1}
!33 = distinct !{!33, !"dx.controlflow.hints", i32 1}
!34 = distinct !{!34, !35}
!35 = !{!"llvm.loop.unroll.disable"}
