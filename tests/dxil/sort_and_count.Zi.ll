%"class.RWStructuredBuffer<unsigned int>" = type { i32 }
%"class.StructuredBuffer<unsigned int>" = type { i32 }
%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
@weights = internal unnamed_addr constant [8 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6], align 4
@"\01?counts@@3PAIA" = external addrspace(3) global [8 x i32], align 4
@"\01?owner@@3IA" = external addrspace(3) global i32, align 4
@dx.nothing.a = internal constant [1 x i32] zeroinitializer
define void @main() {
  %result_UAV_structbuf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false), !dbg !66
  %keys_texture_structbuf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false), !dbg !66
  %1 = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %2 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %before = alloca i32, align 4
  %last = alloca i32, align 4
  call void @llvm.dbg.value(metadata i32 %2, i64 0, metadata !67, metadata !68), !dbg !69
  call void @llvm.dbg.value(metadata i32 %1, i64 0, metadata !70, metadata !71), !dbg !72
  %3 = icmp ult i32 %2, 8, !dbg !73
  %4 = icmp ne i1 %3, false, !dbg !73
  %5 = icmp ne i1 %4, false, !dbg !73
  br i1 %5, label %6, label %8, !dbg !75
; <label>:6
  %7 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %2, !dbg !76
  store i32 0, i32 addrspace(3)* %7, align 4, !dbg !77
  br label %8, !dbg !76
; <label>:8
  %9 = icmp eq i32 %2, 0, !dbg !78
  %10 = icmp ne i1 %9, false, !dbg !78
  %11 = icmp ne i1 %10, false, !dbg !78
  br i1 %11, label %12, label %13, !dbg !80
; <label>:12
  store i32 -1, i32 addrspace(3)* @"\01?owner@@3IA", align 4, !dbg !81
  br label %13, !dbg !82
; <label>:13
  call void @dx.op.barrier(i32 80, i32 9), !dbg !83
  %14 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %keys_texture_structbuf, i32 %1, i32 0), !dbg !66
  %15 = extractvalue %dx.types.ResRet.i32 %14, 0, !dbg !66
  %16 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !84
  call void @llvm.dbg.value(metadata i32 %15, i64 0, metadata !85, metadata !68), !dbg !84
  call void @llvm.dbg.declare(metadata i32* %before, metadata !86, metadata !68), !dbg !87
  %17 = and i32 %15, 7, !dbg !88
  %18 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %17, !dbg !89
  %19 = atomicrmw add i32 addrspace(3)* %18, i32 1 seq_cst, !dbg !90
  %20 = cmpxchg i32 addrspace(3)* @"\01?owner@@3IA", i32 -1, i32 %2 seq_cst seq_cst, !dbg !91
  %21 = extractvalue { i32, i1 } %20, 0, !dbg !91
  store i32 %21, i32* %before, !dbg !91
  call void @dx.op.barrier(i32 80, i32 9), !dbg !92
  call void @llvm.dbg.declare(metadata i32* %last, metadata !93, metadata !68), !dbg !94
  %22 = and i32 %2, 15, !dbg !95
  %23 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !96
  %24 = call fastcc i32 @"\01?weigh@@YAIIIAIAI@Z"(i32 %15, i32 %22, i32* %last), !dbg !96
  %25 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !97
  call void @llvm.dbg.value(metadata i32 %24, i64 0, metadata !98, metadata !68), !dbg !97
  %26 = and i32 %15, 3, !dbg !99
  switch i32 %26, label %41 [
    i32 0, label %27
    i32 1, label %33
    i32 2, label %37
  ], !dbg !100
; <label>:27
  %28 = and i32 %2, 7, !dbg !101
  %29 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %28, !dbg !103
  %30 = load i32, i32 addrspace(3)* %29, align 4, !dbg !103
  %31 = add i32 %24, %30, !dbg !104
  %32 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !104
  call void @llvm.dbg.value(metadata i32 %31, i64 0, metadata !98, metadata !68), !dbg !97
  br label %44, !dbg !105
; <label>:33
  %34 = load i32, i32* %before, align 4, !dbg !106
  %35 = xor i32 %24, %34, !dbg !107
  %36 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !107
  call void @llvm.dbg.value(metadata i32 %35, i64 0, metadata !98, metadata !68), !dbg !97
  br label %44, !dbg !108
; <label>:37
  %38 = load i32, i32* %last, align 4, !dbg !109
  %39 = sub i32 %24, %38, !dbg !110
  %40 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !110
  call void @llvm.dbg.value(metadata i32 %39, i64 0, metadata !98, metadata !68), !dbg !97
  br label %41, !dbg !111
; <label>:41
  %value.0 = phi i32 [ %24, %13 ], [ %39, %37 ]
  call void @llvm.dbg.value(metadata i32 %value.0, i64 0, metadata !98, metadata !68), !dbg !97
  %42 = or i32 %value.0, 1, !dbg !112
  %43 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !112
  call void @llvm.dbg.value(metadata i32 %42, i64 0, metadata !98, metadata !68), !dbg !97
  br label %44, !dbg !113
; <label>:44
  %value.1 = phi i32 [ %42, %41 ], [ %35, %33 ], [ %31, %27 ]
  call void @llvm.dbg.value(metadata i32 %value.1, i64 0, metadata !98, metadata !68), !dbg !97
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %result_UAV_structbuf, i32 %1, i32 0, i32 %value.1, i32 undef, i32 undef, i32 undef, i8 1), !dbg !114
  %45 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !115
  ret void, !dbg !115
}
declare void @llvm.dbg.declare(metadata, metadata, metadata) readnone
define internal fastcc i32 @"\01?weigh@@YAIIIAIAI@Z"(i32 %key, i32 %rounds, i32* %last) {
  call void @llvm.dbg.value(metadata i32 %rounds, i64 0, metadata !116, metadata !68), !dbg !117
  call void @llvm.dbg.value(metadata i32 %key, i64 0, metadata !118, metadata !68), !dbg !119
  %1 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !120
  call void @llvm.dbg.value(metadata i32 0, i64 0, metadata !121, metadata !68), !dbg !120
  %2 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !122
  call void @llvm.dbg.value(metadata i32 %key, i64 0, metadata !123, metadata !68), !dbg !124
  %3 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !125
  call void @llvm.dbg.value(metadata i32 0, i64 0, metadata !127, metadata !68), !dbg !125
  %4 = icmp ult i32 0, %rounds, !dbg !128
  br i1 %4, label %.lr.ph, label %26, !dbg !130
.lr.ph:
  br label %5, !dbg !130
; <label>:5
  %sum.0 = phi i32 [ 0, %.lr.ph ], [ %sum.1, %20 ]
  %round.0 = phi i32 [ 0, %.lr.ph ], [ %21, %20 ]
  %.0 = phi i32 [ %key, %.lr.ph ], [ %11, %20 ]
  call void @llvm.dbg.value(metadata i32 %.0, i64 0, metadata !123, metadata !68), !dbg !124
  call void @llvm.dbg.value(metadata i32 %round.0, i64 0, metadata !127, metadata !68), !dbg !125
  call void @llvm.dbg.value(metadata i32 %sum.0, i64 0, metadata !121, metadata !68), !dbg !120
  %6 = mul i32 %.0, 5, !dbg !131
  %7 = add i32 %key, %round.0, !dbg !133
  %8 = and i32 %7, 7, !dbg !134
  %9 = getelementptr inbounds [8 x i32], [8 x i32]* @weights, i32 0, i32 %8, !dbg !135
  %10 = load i32, i32* %9, align 4, !dbg !135
  %11 = add i32 %6, %10, !dbg !136
  %12 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !137
  call void @llvm.dbg.value(metadata i32 %11, i64 0, metadata !123, metadata !68), !dbg !124
  %13 = icmp ugt i32 %11, 100000, !dbg !138
  %14 = icmp ne i1 %13, false, !dbg !138
  %15 = icmp ne i1 %14, false, !dbg !138
  br i1 %15, label %16, label %17, !dbg !140
; <label>:16
  br label %._crit_edge, !dbg !141
; <label>:17
  %18 = add i32 %sum.0, %11, !dbg !142
  %19 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !142
  call void @llvm.dbg.value(metadata i32 %18, i64 0, metadata !121, metadata !68), !dbg !120
  br label %20, !dbg !143
; <label>:20
  %sum.1 = phi i32 [ %18, %17 ]
  call void @llvm.dbg.value(metadata i32 %sum.1, i64 0, metadata !121, metadata !68), !dbg !120
  %21 = add i32 %round.0, 1, !dbg !144
  %22 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !144
  call void @llvm.dbg.value(metadata i32 %21, i64 0, metadata !127, metadata !68), !dbg !125
  %23 = icmp ult i32 %21, %rounds, !dbg !128
  %24 = icmp ne i1 %23, false, !dbg !128
  %25 = icmp ne i1 %24, false, !dbg !130
  br i1 %25, label %5, label %._crit_edge.1, !dbg !130
._crit_edge:
  %.lcssa = phi i32 [ %11, %16 ]
  %sum.0.lcssa = phi i32 [ %sum.0, %16 ]
  br label %26, !dbg !141
._crit_edge.1:
  %sum.1.lcssa = phi i32 [ %sum.1, %20 ]
  %.lcssa3 = phi i32 [ %11, %20 ]
  br label %26, !dbg !130
; <label>:26
  %sum.2 = phi i32 [ %sum.0.lcssa, %._crit_edge ], [ %sum.1.lcssa, %._crit_edge.1 ], [ 0, %0 ]
  %.1 = phi i32 [ %.lcssa, %._crit_edge ], [ %.lcssa3, %._crit_edge.1 ], [ %key, %0 ]
  call void @llvm.dbg.value(metadata i32 %.1, i64 0, metadata !123, metadata !68), !dbg !124
  call void @llvm.dbg.value(metadata i32 %sum.2, i64 0, metadata !121, metadata !68), !dbg !120
  %27 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !145
  store i32 %.1, i32* %last, !dbg !145
  ret i32 %sum.2, !dbg !145
}
declare void @llvm.dbg.value(metadata, i64, metadata, metadata) readnone
declare i32 @dx.op.threadId.i32(i32, i32) readnone
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) readnone
declare void @dx.op.barrier(i32, i32)
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) readonly
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32) readonly
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!38, !39}
!llvm.ident = !{!40}
!dx.source.contents = !{!41}
!dx.source.defines = !{!2}
!dx.source.mainFileName = !{!42}
!dx.source.args = !{!43}
!dx.version = !{!44}
!dx.valver = !{!45}
!dx.shaderModel = !{!46}
!dx.resources = !{!47}
!dx.typeAnnotations = !{!53, !56}
!dx.entryPoints = !{!63}
!2 = !{}
!3 = !{!4, !19}
!6 = !{null, !7, !18}
!9 = !{!10, !12, !13}
!14 = !{!15, !16}
!21 = !{!18, !18, !18, !22}
!24 = !{!25, !29, !30, !33, !36}
!27 = !{!28}
!35 = !{!15}
!38 = !{i32 2, !"Dwarf Version", i32 4}
!39 = !{i32 2, !"Debug Info Version", i32 3}
!40 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!41 = !{!"sort_and_count.hlsl", !"// Shared memory with atomics and a compare-exchange, barriers, a loop with two exits, a switch, a table, a function that is not inlined.\0Astatic const uint weights[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };\0A\0AStructuredBuffer<uint> keys : register(t0);\0ARWStructuredBuffer<uint> result : register(u0);\0A\0Agroupshared uint counts[8];\0Agroupshared uint owner;\0A\0A[noinline] uint weigh(uint key, uint rounds, out uint last) {\0A    uint sum = 0;\0A    last = key;\0A    for (uint round = 0; round < rounds; ++round) {\0A        last = last * 5 + weights[(key + round) & 7];\0A        if (last > 100000)\0A            break;\0A        sum += last;\0A    }\0A    return sum;\0A}\0A\0A[numthreads(32, 1, 1)]\0Avoid main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {\0A    if (lane < 8)\0A        counts[lane] = 0;\0A    if (lane == 0)\0A        owner = 0xffffffff;\0A    GroupMemoryBarrierWithGroupSync();\0A    uint key = keys[id.x];\0A    uint before;\0A    InterlockedAdd(counts[key & 7], 1);\0A    InterlockedCompareExchange(owner, 0xffffffff, lane, before);\0A    GroupMemoryBarrierWithGroupSync();\0A    uint last;\0A    uint value = weigh(key, lane & 15, last);\0A    switch (key & 3) {\0A    case 0: value += counts[lane & 7]; break;\0A    case 1: value ^= before; break;\0A    case 2: value -= last;\0A    default: value |= 1; break;\0A    }\0A    result[id.x] = value;\0A}\0A"}
!42 = !{!"sort_and_count.hlsl"}
!43 = !{!"-T", !"cs_6_0", !"-Od", !"-Zi", !"-Qembed_debug"}
!44 = !{i32 1, i32 0}
!45 = !{i32 1, i32 7}
!46 = !{!"cs", i32 6, i32 0}
!47 = !{!48, !51, null, null}
!48 = !{!49}
!49 = !{i32 0, %"class.StructuredBuffer<unsigned int>"* undef, !"keys", i32 0, i32 0, i32 1, i32 12, i32 0, !50}
!50 = !{i32 1, i32 4}
!51 = !{!52}
!52 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* undef, !"result", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !50}
!53 = !{i32 0, %"class.StructuredBuffer<unsigned int>" undef, !54, %"class.RWStructuredBuffer<unsigned int>" undef, !54}
!54 = !{i32 4, !55}
!55 = !{i32 6, !"h", i32 3, i32 0, i32 7, i32 5}
!56 = !{i32 1, i32 (i32, i32, i32*)* @"\01?weigh@@YAIIIAIAI@Z", !57, void ()* @main, !61}
!57 = !{!58, !60, !60, !58}
!58 = !{i32 1, !59, !2}
!59 = !{i32 7, i32 5}
!60 = !{i32 0, !59, !2}
!61 = !{!62}
!62 = !{i32 0, !2, !2}
!63 = !{void ()* @main, !"main", null, !47, !64}
!64 = !{i32 0, i64 17, i32 4, !65}
!65 = !{i32 32, i32 1, i32 1}
