%"class.RWStructuredBuffer<unsigned int>" = type { i32 }
%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
@"\01?others@@3PAIA" = external addrspace(3) global [64 x i32], align 4
@dx.nothing.a = internal constant [1 x i32] zeroinitializer
define void @main() {
  %words_UAV_structbuf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false), !dbg !49
  %1 = call i32 @dx.op.threadId.i32(i32 93, i32 0), !dbg !50
  %2 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96), !dbg !50
  call void @llvm.dbg.value(metadata i32 %2, i64 0, metadata !51, metadata !52), !dbg !50
  call void @llvm.dbg.value(metadata i32 %1, i64 0, metadata !53, metadata !54), !dbg !55
  %3 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %words_UAV_structbuf, i32 %1, i32 0), !dbg !49
  %4 = extractvalue %dx.types.ResRet.i32 %3, 0, !dbg !49
  %5 = getelementptr [64 x i32], [64 x i32] addrspace(3)* @"\01?others@@3PAIA", i32 0, i32 %2, !dbg !56
  store i32 %4, i32 addrspace(3)* %5, align 4, !dbg !57
  %6 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %words_UAV_structbuf, i32 %1, i32 0), !dbg !58
  %7 = extractvalue %dx.types.ResRet.i32 %6, 0, !dbg !58
  %8 = icmp ugt i32 %7, 7, !dbg !60
  %9 = icmp ne i1 %8, false, !dbg !60
  %10 = icmp ne i1 %9, false, !dbg !60
  br i1 %10, label %11, label %15, !dbg !61
; <label>:11
  call void @dx.op.barrier(i32 80, i32 9), !dbg !62
  %12 = sub i32 63, %2, !dbg !64
  %13 = getelementptr [64 x i32], [64 x i32] addrspace(3)* @"\01?others@@3PAIA", i32 0, i32 %12, !dbg !65
  %14 = load i32, i32 addrspace(3)* %13, align 4, !dbg !65
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %words_UAV_structbuf, i32 %1, i32 0, i32 %14, i32 undef, i32 undef, i32 undef, i8 1), !dbg !66
  br label %15, !dbg !67
; <label>:15
  %16 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !68
  ret void, !dbg !68
}
declare void @llvm.dbg.value(metadata, i64, metadata, metadata) readnone
declare i32 @dx.op.threadId.i32(i32, i32) readnone
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) readnone
declare void @dx.op.barrier(i32, i32)
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) readonly
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32) readonly
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!27, !28}
!llvm.ident = !{!29}
!dx.source.contents = !{!30}
!dx.source.defines = !{!2}
!dx.source.mainFileName = !{!31}
!dx.source.args = !{!32}
!dx.version = !{!33}
!dx.valver = !{!34}
!dx.shaderModel = !{!35}
!dx.resources = !{!36}
!dx.typeAnnotations = !{!40, !43}
!dx.entryPoints = !{!46}
!2 = !{}
!3 = !{!4}
!6 = !{null, !7, !18}
!9 = !{!10, !12, !13}
!14 = !{!15, !16}
!19 = !{!20, !24}
!22 = !{!23}
!26 = !{!15}
!27 = !{i32 2, !"Dwarf Version", i32 4}
!28 = !{i32 2, !"Debug Info Version", i32 3}
!29 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!30 = !{!"barrier.hlsl", !"// A barrier that not all threads of a group reach.\0ARWStructuredBuffer<uint> words : register(u0);\0A\0Agroupshared uint others[64];\0A\0A[numthreads(64, 1, 1)]\0Avoid main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {\0A    others[thread] = words[id.x];\0A    if (words[id.x] > 7) {\0A        GroupMemoryBarrierWithGroupSync();\0A        words[id.x] = others[63 - thread];\0A    }\0A}\0A"}
!31 = !{!"barrier.hlsl"}
!32 = !{!"-T", !"cs_6_0", !"-Od", !"-Zi", !"-Qembed_debug"}
!33 = !{i32 1, i32 0}
!34 = !{i32 1, i32 7}
!35 = !{!"cs", i32 6, i32 0}
!36 = !{null, !37, null, null}
!37 = !{!38}
!38 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* undef, !"words", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !39}
!39 = !{i32 1, i32 4}
!40 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>" undef, !41}
!41 = !{i32 4, !42}
!42 = !{i32 6, !"h", i32 3, i32 0, i32 7, i32 5}
!43 = !{i32 1, void ()* @main, !44}
!44 = !{!45}
!45 = !{i32 0, !2, !2}
!46 = !{void ()* @main, !"main", null, !36, !47}
!47 = !{i32 0, i64 17, i32 4, !48}
!48 = !{i32 64, i32 1, i32 1}
