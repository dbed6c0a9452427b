%"class.RWTexture2D<vector<float, 4> >" = type { <4 x float> }
%dx.types.Handle = type { i8* }
%struct.Payload = type { <4 x float> }
%struct.RaytracingAccelerationStructure = type { i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
@"\01?scene@@3URaytracingAccelerationStructure@@A" = external constant %struct.RaytracingAccelerationStructure, align 4
@"\01?target@@3V?$RWTexture2D@V?$vector@M$03@@@@A" = external constant %"class.RWTexture2D<vector<float, 4> >", align 4
define void @"\01?generate@@YAXXZ"() {
  %1 = load %struct.RaytracingAccelerationStructure, %struct.RaytracingAccelerationStructure* @"\01?scene@@3URaytracingAccelerationStructure@@A", align 4
  %2 = load %"class.RWTexture2D<vector<float, 4> >", %"class.RWTexture2D<vector<float, 4> >"* @"\01?target@@3V?$RWTexture2D@V?$vector@M$03@@@@A", align 4
  %3 = alloca %struct.Payload, align 4
  %4 = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 0)
  %5 = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 1)
  %6 = uitofp i32 %4 to float
  %7 = uitofp i32 %5 to float
  %8 = getelementptr inbounds %struct.Payload, %struct.Payload* %3, i32 0, i32 0
  store <4 x float> zeroinitializer, <4 x float>* %8, align 4, !tbaa !24
  %9 = call %dx.types.Handle @dx.op.createHandleForLib.struct.RaytracingAccelerationStructure(i32 160, %struct.RaytracingAccelerationStructure %1)
  call void @dx.op.traceRay.struct.Payload(i32 157, %dx.types.Handle %9, i32 0, i32 255, i32 0, i32 1, i32 0, float %6, float %7, float 0.000000e+00, float 0x3F50624DE0000000, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00, float 1.000000e+03, %struct.Payload* %3)
  %10 = load <4 x float>, <4 x float>* %8, align 4
  %11 = extractelement <4 x float> %10, i32 0
  %12 = extractelement <4 x float> %10, i32 1
  %13 = extractelement <4 x float> %10, i32 2
  %14 = extractelement <4 x float> %10, i32 3
  %15 = call %dx.types.Handle @"dx.op.createHandleForLib.class.RWTexture2D<vector<float, 4> >"(i32 160, %"class.RWTexture2D<vector<float, 4> >" %2)
  call void @dx.op.textureStore.f32(i32 67, %dx.types.Handle %15, i32 %4, i32 %5, i32 undef, float %14, float %13, float %12, float %11, i8 15)
  ret void
}
define void @"\01?sky@@YAXUPayload@@@Z"(%struct.Payload* %payload) {
  %1 = getelementptr inbounds %struct.Payload, %struct.Payload* %payload, i32 0, i32 0
  store <4 x float> <float 5.000000e-01, float 2.500000e-01, float 1.000000e+00, float 1.000000e+00>, <4 x float>* %1, align 4
  ret void
}
declare i32 @dx.op.dispatchRaysIndex.i32(i32, i8) readnone
declare void @dx.op.traceRay.struct.Payload(i32, %dx.types.Handle, i32, i32, i32, i32, i32, float, float, float, float, float, float, float, float, %struct.Payload*)
declare void @dx.op.textureStore.f32(i32, %dx.types.Handle, i32, i32, i32, float, float, float, float, i8)
declare %dx.types.Handle @dx.op.createHandleForLib.struct.RaytracingAccelerationStructure(i32, %struct.RaytracingAccelerationStructure) readonly
declare %dx.types.Handle @"dx.op.createHandleForLib.class.RWTexture2D<vector<float, 4> >"(i32, %"class.RWTexture2D<vector<float, 4> >") readonly
!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.typeAnnotations = !{!11}
!dx.entryPoints = !{!17, !19, !22}
!0 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!1 = !{i32 1, i32 3}
!2 = !{i32 1, i32 7}
!3 = !{!"lib", i32 6, i32 3}
!4 = !{!5, !8, null, null}
!5 = !{!6}
!6 = !{i32 0, %struct.RaytracingAccelerationStructure* @"\01?scene@@3URaytracingAccelerationStructure@@A", !"scene", i32 0, i32 0, i32 1, i32 16, i32 0, !7}
!7 = !{i32 0, i32 4}
!8 = !{!9}
!9 = !{i32 0, %"class.RWTexture2D<vector<float, 4> >"* @"\01?target@@3V?$RWTexture2D@V?$vector@M$03@@@@A", !"target", i32 0, i32 0, i32 1, i32 2, i1 false, i1 false, i1 false, !10}
!10 = !{i32 0, i32 9}
!11 = !{i32 1, void ()* @"\01?generate@@YAXXZ", !12, void (%struct.Payload*)* @"\01?sky@@YAXUPayload@@@Z", !15}
!12 = !{!13}
!13 = !{i32 1, !14, !14}
!14 = !{}
!15 = !{!13, !16}
!16 = !{i32 2, !14, !14}
!17 = !{null, !"", null, !4, !18}
!18 = !{i32 0, i64 65536}
!19 = !{void ()* @"\01?generate@@YAXXZ", !"\01?generate@@YAXXZ", null, null, !20}
!20 = !{i32 8, i32 7, i32 5, !21}
!21 = !{i32 0}
!22 = !{void (%struct.Payload*)* @"\01?sky@@YAXUPayload@@@Z", !"\01?sky@@YAXUPayload@@@Z", null, null, !23}
!23 = !{i32 8, i32 11, i32 6, i32 16, i32 5, !21}
!24 = !{!25, !25, i64 0}
!25 = !{!"omnipotent char", !26, i64 0}
!26 = !{!"Simple C/C++ TBAA"}
