%"class.Buffer<vector<float, 4> >" = type { <4 x float> }
%dx.types.CBufRet.f32 = type { float, float, float, float }
%dx.types.Handle = type { i8* }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%hostlayout.Camera = type { [4 x <4 x float>] }
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 0, i1 false)
  %3 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)
  %4 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)
  %5 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  %6 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)
  %7 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 undef)
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 undef)
  %9 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %1, i32 %3, i32 undef)
  %10 = extractvalue %dx.types.ResRet.f32 %9, 0
  %11 = extractvalue %dx.types.ResRet.f32 %9, 1
  %12 = extractvalue %dx.types.ResRet.f32 %9, 2
  %13 = extractvalue %dx.types.ResRet.f32 %9, 3
  %14 = fadd fast float %10, %5
  %15 = fadd fast float %11, %6
  %16 = fadd fast float %12, %7
  %17 = fadd fast float %13, %8
  %18 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %2, i32 0)
  %19 = extractvalue %dx.types.CBufRet.f32 %18, 0
  %20 = extractvalue %dx.types.CBufRet.f32 %18, 1
  %21 = extractvalue %dx.types.CBufRet.f32 %18, 2
  %22 = extractvalue %dx.types.CBufRet.f32 %18, 3
  %23 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %2, i32 1)
  %24 = extractvalue %dx.types.CBufRet.f32 %23, 0
  %25 = extractvalue %dx.types.CBufRet.f32 %23, 1
  %26 = extractvalue %dx.types.CBufRet.f32 %23, 2
  %27 = extractvalue %dx.types.CBufRet.f32 %23, 3
  %28 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %2, i32 2)
  %29 = extractvalue %dx.types.CBufRet.f32 %28, 0
  %30 = extractvalue %dx.types.CBufRet.f32 %28, 1
  %31 = extractvalue %dx.types.CBufRet.f32 %28, 2
  %32 = extractvalue %dx.types.CBufRet.f32 %28, 3
  %33 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %2, i32 3)
  %34 = extractvalue %dx.types.CBufRet.f32 %33, 0
  %35 = extractvalue %dx.types.CBufRet.f32 %33, 1
  %36 = extractvalue %dx.types.CBufRet.f32 %33, 2
  %37 = extractvalue %dx.types.CBufRet.f32 %33, 3
  %38 = fmul fast float %19, %14
  %39 = call float @dx.op.tertiary.f32(i32 46, float %24, float %15, float %38)
  %40 = call float @dx.op.tertiary.f32(i32 46, float %29, float %16, float %39)
  %41 = call float @dx.op.tertiary.f32(i32 46, float %34, float %17, float %40)
  %42 = fmul fast float %20, %14
  %43 = call float @dx.op.tertiary.f32(i32 46, float %25, float %15, float %42)
  %44 = call float @dx.op.tertiary.f32(i32 46, float %30, float %16, float %43)
  %45 = call float @dx.op.tertiary.f32(i32 46, float %35, float %17, float %44)
  %46 = fmul fast float %21, %14
  %47 = call float @dx.op.tertiary.f32(i32 46, float %26, float %15, float %46)
  %48 = call float @dx.op.tertiary.f32(i32 46, float %31, float %16, float %47)
  %49 = call float @dx.op.tertiary.f32(i32 46, float %36, float %17, float %48)
  %50 = fmul fast float %22, %14
  %51 = call float @dx.op.tertiary.f32(i32 46, float %27, float %15, float %50)
  %52 = call float @dx.op.tertiary.f32(i32 46, float %32, float %16, float %51)
  %53 = call float @dx.op.tertiary.f32(i32 46, float %37, float %17, float %52)
  %54 = uitofp i32 %4 to float
  %55 = fmul fast float %5, %54
  %56 = fmul fast float %6, %54
  %57 = fmul fast float %7, %54
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %41)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %45)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %49)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %53)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 0, float %55)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 1, i8 0, float %56)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 2, i8 0, float %57)
  call void @dx.op.storeOutput.f32(i32 5, i32 2, i32 0, i8 0, float %5)
  call void @dx.op.storeOutput.f32(i32 5, i32 2, i32 0, i8 1, float %6)
  call void @dx.op.storeOutput.f32(i32 5, i32 3, i32 0, i8 0, float %8)
  ret void
}
declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32) readnone
declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32) readnone
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
declare %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32, %dx.types.Handle, i32, i32) readonly
declare %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32, %dx.types.Handle, i32) readonly
declare float @dx.op.tertiary.f32(i32, float, float, float) readnone
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) readonly
!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.viewIdState = !{!10}
!dx.entryPoints = !{!11}
!0 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!1 = !{i32 1, i32 0}
!2 = !{i32 1, i32 7}
!3 = !{!"vs", i32 6, i32 0}
!4 = !{!5, null, !8, null}
!5 = !{!6}
!6 = !{i32 0, %"class.Buffer<vector<float, 4> >"* undef, !"", i32 0, i32 0, i32 1, i32 10, i32 0, !7}
!7 = !{i32 0, i32 9}
!8 = !{!9}
!9 = !{i32 0, %hostlayout.Camera* undef, !"", i32 0, i32 0, i32 1, i32 64, null}
!10 = !{[11 x i32] [i32 9, i32 13, i32 63, i32 335, i32 4111, i32 143, i32 4368, i32 0, i32 0, i32 0, i32 15]}
!11 = !{void ()* @main, !"main", !12, !4, null}
!12 = !{!13, !20, null}
!13 = !{!14, !17, !19}
!14 = !{i32 0, !"POSITION", i8 9, i8 0, !15, i8 0, i32 1, i8 4, i32 0, i8 0, !16}
!15 = !{i32 0}
!16 = !{i32 3, i32 15}
!17 = !{i32 1, !"SV_VertexID", i8 5, i8 1, !15, i8 0, i32 1, i8 1, i32 1, i8 0, !18}
!18 = !{i32 3, i32 1}
!19 = !{i32 2, !"SV_InstanceID", i8 5, i8 2, !15, i8 0, i32 1, i8 1, i32 2, i8 0, !18}
!20 = !{!21, !22, !24, !26}
!21 = !{i32 0, !"SV_Position", i8 9, i8 3, !15, i8 4, i32 1, i8 4, i32 0, i8 0, !16}
!22 = !{i32 1, !"VALUES", i8 9, i8 0, !23, i8 2, i32 3, i8 1, i32 1, i8 0, !18}
!23 = !{i32 0, i32 1, i32 2}
!24 = !{i32 2, !"A", i8 9, i8 0, !15, i8 2, i32 1, i8 2, i32 1, i8 1, !25}
!25 = !{i32 3, i32 3}
!26 = !{i32 3, !"B", i8 9, i8 0, !15, i8 2, i32 1, i8 1, i32 1, i8 3, !18}
