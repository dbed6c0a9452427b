%"class.RWStructuredBuffer<unsigned int>" = type { i32 }
%"class.StructuredBuffer<unsigned int>" = type { i32 }
%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
@weights = internal unnamed_addr constant [8 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6], align 4
@"\01?counts@@3PAIA" = external addrspace(3) global [8 x i32], align 4
@"\01?owner@@3IA" = external addrspace(3) global i32, align 4
define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %3 = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %4 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %5 = alloca i32, align 4
  %6 = icmp ult i32 %4, 8
  br i1 %6, label %7, label %9
; <label>:7
  %8 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %4
  store i32 0, i32 addrspace(3)* %8, align 4, !tbaa !13
  br label %9
; <label>:9
  %10 = icmp eq i32 %4, 0
  br i1 %10, label %11, label %12
; <label>:11
  store i32 -1, i32 addrspace(3)* @"\01?owner@@3IA", align 4, !tbaa !13
  br label %12
; <label>:12
  call void @dx.op.barrier(i32 80, i32 9)
  %13 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %2, i32 %3, i32 0)
  %14 = extractvalue %dx.types.ResRet.i32 %13, 0
  %15 = and i32 %14, 7
  %16 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %15
  %17 = atomicrmw add i32 addrspace(3)* %16, i32 1 seq_cst
  %18 = cmpxchg i32 addrspace(3)* @"\01?owner@@3IA", i32 -1, i32 %4 seq_cst seq_cst
  call void @dx.op.barrier(i32 80, i32 9)
  %19 = and i32 %4, 15
  %20 = call fastcc i32 @"\01?weigh@@YAIIIAIAI@Z"(i32 %14, i32 %19, i32* %5)
  %21 = and i32 %14, 3
  switch i32 %21, label %33 [
    i32 0, label %22
    i32 1, label %27
    i32 2, label %30
  ]
; <label>:22
  %23 = and i32 %4, 7
  %24 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %23
  %25 = load i32, i32 addrspace(3)* %24, align 4, !tbaa !13
  %26 = add i32 %25, %20
  br label %36
; <label>:27
  %28 = extractvalue { i32, i1 } %18, 0
  %29 = xor i32 %20, %28
  br label %36
; <label>:30
  %31 = load i32, i32* %5, align 4, !tbaa !13
  %32 = sub i32 %20, %31
  br label %33
; <label>:33
  %34 = phi i32 [ %20, %12 ], [ %32, %30 ]
  %35 = or i32 %34, 1
  br label %36
; <label>:36
  %37 = phi i32 [ %35, %33 ], [ %29, %27 ], [ %26, %22 ]
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %1, i32 %3, i32 0, i32 %37, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}
define internal fastcc i32 @"\01?weigh@@YAIIIAIAI@Z"(i32 %key, i32 %rounds, i32* %last) {
  %1 = icmp eq i32 %rounds, 0
  br i1 %1, label %20, label %2
; <label>:2
  br label %3
; <label>:3
  %4 = phi i32 [ %15, %14 ], [ 0, %2 ]
  %5 = phi i32 [ %16, %14 ], [ 0, %2 ]
  %6 = phi i32 [ %12, %14 ], [ %key, %2 ]
  %7 = mul i32 %6, 5
  %8 = add i32 %5, %key
  %9 = and i32 %8, 7
  %10 = getelementptr inbounds [8 x i32], [8 x i32]* @weights, i32 0, i32 %9
  %11 = load i32, i32* %10, align 4, !tbaa !13
  %12 = add i32 %7, %11
  %13 = icmp ugt i32 %12, 100000
  br i1 %13, label %18, label %14
; <label>:14
  %15 = add i32 %12, %4
  %16 = add nuw i32 %5, 1
  %17 = icmp ult i32 %16, %rounds
  br i1 %17, label %3, label %18
; <label>:18
  %19 = phi i32 [ %15, %14 ], [ %4, %3 ]
  br label %20
; <label>:20
  %21 = phi i32 [ 0, %0 ], [ %19, %18 ]
  %22 = phi i32 [ %key, %0 ], [ %12, %18 ]
  store i32 %22, i32* %last, align 4
  ret i32 %21
}
declare i32 @dx.op.threadId.i32(i32, i32) readnone
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) readnone
declare void @dx.op.barrier(i32, i32)
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) readonly
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32) readonly
!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!10}
!0 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!1 = !{i32 1, i32 0}
!2 = !{i32 1, i32 7}
!3 = !{!"cs", i32 6, i32 0}
!4 = !{!5, !8, null, null}
!5 = !{!6}
!6 = !{i32 0, %"class.StructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i32 0, !7}
!7 = !{i32 1, i32 4}
!8 = !{!9}
!9 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !7}
!10 = !{void ()* @main, !"main", null, !4, !11}
!11 = !{i32 0, i64 16, i32 4, !12}
!12 = !{i32 32, i32 1, i32 1}
!13 = !{!14, !14, i64 0}
!14 = !{!"int", !15, i64 0}
!15 = !{!"omnipotent char", !16, i64 0}
!16 = !{!"Simple C/C++ TBAA"}
