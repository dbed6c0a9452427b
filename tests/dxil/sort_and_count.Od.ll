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
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %3 = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %4 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = icmp ult i32 %4, 8
  %8 = icmp ne i1 %7, false
  %9 = icmp ne i1 %8, false
  br i1 %9, label %10, label %12
; <label>:10
  %11 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %4
  store i32 0, i32 addrspace(3)* %11, align 4
  br label %12
; <label>:12
  %13 = icmp eq i32 %4, 0
  %14 = icmp ne i1 %13, false
  %15 = icmp ne i1 %14, false
  br i1 %15, label %16, label %17
; <label>:16
  store i32 -1, i32 addrspace(3)* @"\01?owner@@3IA", align 4
  br label %17
; <label>:17
  call void @dx.op.barrier(i32 80, i32 9)
  %18 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %2, i32 %3, i32 0)
  %19 = extractvalue %dx.types.ResRet.i32 %18, 0
  %20 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %21 = and i32 %19, 7
  %22 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %21
  %23 = atomicrmw add i32 addrspace(3)* %22, i32 1 seq_cst
  %24 = cmpxchg i32 addrspace(3)* @"\01?owner@@3IA", i32 -1, i32 %4 seq_cst seq_cst
  %25 = extractvalue { i32, i1 } %24, 0
  store i32 %25, i32* %5
  call void @dx.op.barrier(i32 80, i32 9)
  %26 = and i32 %4, 15
  %27 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %28 = call fastcc i32 @"\01?weigh@@YAIIIAIAI@Z"(i32 %19, i32 %26, i32* %6)
  %29 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %30 = and i32 %19, 3
  switch i32 %30, label %45 [
    i32 0, label %31
    i32 1, label %37
    i32 2, label %41
  ]
; <label>:31
  %32 = and i32 %4, 7
  %33 = getelementptr [8 x i32], [8 x i32] addrspace(3)* @"\01?counts@@3PAIA", i32 0, i32 %32
  %34 = load i32, i32 addrspace(3)* %33, align 4
  %35 = add i32 %28, %34
  %36 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %49
; <label>:37
  %38 = load i32, i32* %5, align 4
  %39 = xor i32 %28, %38
  %40 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %49
; <label>:41
  %42 = load i32, i32* %6, align 4
  %43 = sub i32 %28, %42
  %44 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %45
; <label>:45
  %46 = phi i32 [ %28, %17 ], [ %43, %41 ]
  %47 = or i32 %46, 1
  %48 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %49
; <label>:49
  %50 = phi i32 [ %47, %45 ], [ %39, %37 ], [ %35, %31 ]
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %1, i32 %3, i32 0, i32 %50, i32 undef, i32 undef, i32 undef, i8 1)
  %51 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  ret void
}
define internal fastcc i32 @"\01?weigh@@YAIIIAIAI@Z"(i32 %key, i32 %rounds, i32* %last) {
  %1 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %2 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %3 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %4 = icmp ult i32 0, %rounds
  br i1 %4, label %5, label %37
; <label>:5
  br label %6
; <label>:6
  %7 = phi i32 [ 0, %5 ], [ %25, %24 ]
  %8 = phi i32 [ 0, %5 ], [ %26, %24 ]
  %9 = phi i32 [ %key, %5 ], [ %15, %24 ]
  %10 = mul i32 %9, 5
  %11 = add i32 %key, %8
  %12 = and i32 %11, 7
  %13 = getelementptr inbounds [8 x i32], [8 x i32]* @weights, i32 0, i32 %12
  %14 = load i32, i32* %13, align 4
  %15 = add i32 %10, %14
  %16 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %17 = icmp ugt i32 %15, 100000
  %18 = icmp ne i1 %17, false
  %19 = icmp ne i1 %18, false
  br i1 %19, label %20, label %21
; <label>:20
  br label %31
; <label>:21
  %22 = add i32 %7, %15
  %23 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  br label %24
; <label>:24
  %25 = phi i32 [ %22, %21 ]
  %26 = add i32 %8, 1
  %27 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  %28 = icmp ult i32 %26, %rounds
  %29 = icmp ne i1 %28, false
  %30 = icmp ne i1 %29, false
  br i1 %30, label %6, label %34
; <label>:31
  %32 = phi i32 [ %15, %20 ]
  %33 = phi i32 [ %7, %20 ]
  br label %37
; <label>:34
  %35 = phi i32 [ %25, %24 ]
  %36 = phi i32 [ %15, %24 ]
  br label %37
; <label>:37
  %38 = phi i32 [ %33, %31 ], [ %35, %34 ], [ 0, %0 ]
  %39 = phi i32 [ %32, %31 ], [ %36, %34 ], [ %key, %0 ]
  %40 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0)
  store i32 %39, i32* %last
  ret i32 %38
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
!11 = !{i32 0, i64 17, i32 4, !12}
!12 = !{i32 32, i32 1, i32 1}
