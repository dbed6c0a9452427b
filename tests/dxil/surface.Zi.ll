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
  %shadow_texture_2darray = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 0 }, i32 1, i1 false), !dbg !129
  %albedo_texture_2d = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind zeroinitializer, i32 0, i1 false), !dbg !129
  %compare_sampler = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 3 }, i32 1, i1 false), !dbg !129
  %smooth_sampler = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 3 }, i32 0, i1 false), !dbg !129
  %Scene_cbuffer = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 2 }, i32 0, i1 false), !dbg !129
  %1 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %Scene_cbuffer, %dx.types.ResourceProperties { i32 13, i32 136 }), !dbg !133
  %2 = call i32 @dx.op.loadInput.i32(i32 4, i32 4, i32 0, i8 0, i32 undef), !dbg !133
  %3 = icmp ne i32 %2, 0, !dbg !133
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 3, i32 0, i8 0, i32 undef), !dbg !133
  call void @llvm.dbg.value(metadata float %4, i64 0, metadata !134, metadata !135), !dbg !133
  %5 = call float @dx.op.loadInput.f32(i32 4, i32 3, i32 0, i8 1, i32 undef), !dbg !133
  call void @llvm.dbg.value(metadata float %5, i64 0, metadata !134, metadata !136), !dbg !133
  %6 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef), !dbg !133
  %7 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 undef), !dbg !133
  call void @llvm.dbg.value(metadata float %7, i64 0, metadata !134, metadata !137), !dbg !133
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 1, i32 undef), !dbg !133
  call void @llvm.dbg.value(metadata float %8, i64 0, metadata !134, metadata !138), !dbg !133
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 2, i32 undef), !dbg !133
  call void @llvm.dbg.value(metadata float %4, i64 0, metadata !134, metadata !135), !dbg !133
  call void @llvm.dbg.value(metadata float %5, i64 0, metadata !134, metadata !136), !dbg !133
  call void @llvm.dbg.value(metadata i32 %6, i64 0, metadata !134, metadata !139), !dbg !133
  call void @llvm.dbg.value(metadata float %7, i64 0, metadata !134, metadata !137), !dbg !133
  call void @llvm.dbg.value(metadata float %8, i64 0, metadata !134, metadata !138), !dbg !133
  call void @llvm.dbg.value(metadata float %9, i64 0, metadata !134, metadata !140), !dbg !133
  %10 = zext i1 %3 to i32
  call void @llvm.dbg.value(metadata i1 %3, i64 0, metadata !141, metadata !142), !dbg !143
  %11 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %albedo_texture_2d, %dx.types.ResourceProperties { i32 2, i32 1033 }), !dbg !144
  %12 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %smooth_sampler, %dx.types.ResourceProperties { i32 14, i32 0 }), !dbg !144
  %13 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %11, %dx.types.Handle %12, float %4, float %5, float undef, float undef, i32 0, i32 0, i32 undef, float undef), !dbg !144
  call void @llvm.dbg.value(metadata %dx.types.ResRet.f32 %13, i64 0, metadata !145, metadata !142), !dbg !146
  %14 = extractvalue %dx.types.ResRet.f32 %13, 0, !dbg !144
  %15 = extractvalue %dx.types.ResRet.f32 %13, 1, !dbg !144
  %16 = extractvalue %dx.types.ResRet.f32 %13, 2, !dbg !144
  %17 = extractvalue %dx.types.ResRet.f32 %13, 3, !dbg !144
  %18 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !146
  %19 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %1, i32 8), !dbg !147
  %20 = extractvalue %dx.types.CBufRet.f32 %19, 1, !dbg !147
  %21 = fcmp fast olt float %17, %20, !dbg !149
  %22 = icmp ne i1 %21, false, !dbg !149
  %23 = icmp ne i1 %22, false, !dbg !149
  br i1 %23, label %24, label %25, !dbg !150
; <label>:24
  call void @dx.op.discard(i32 82, i1 true), !dbg !150
  br label %25, !dbg !150
; <label>:25
  %.i02 = fmul fast float 0x3FA99999A0000000, %14, !dbg !151
  %.i13 = fmul fast float 0x3FA99999A0000000, %15, !dbg !151
  %.i24 = fmul fast float 0x3FA99999A0000000, %16, !dbg !151
  %26 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !152
  call void @llvm.dbg.value(metadata float %.i02, i64 0, metadata !153, metadata !154), !dbg !152
  call void @llvm.dbg.value(metadata float %.i13, i64 0, metadata !153, metadata !155), !dbg !152
  call void @llvm.dbg.value(metadata float %.i24, i64 0, metadata !153, metadata !156), !dbg !152
  %27 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !157
  call void @llvm.dbg.value(metadata i32 0, i64 0, metadata !158, metadata !142), !dbg !157
  %28 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %1, i32 8), !dbg !159
  %29 = extractvalue %dx.types.CBufRet.i32 %28, 0, !dbg !159
  %30 = icmp ult i32 0, %29, !dbg !160
  br i1 %30, label %.lr.ph, label %81, !dbg !161
.lr.ph:
  br label %31, !dbg !161
; <label>:31
  %sum.0.i0 = phi float [ %.i02, %.lr.ph ], [ %sum.1.i0, %73 ]
  %sum.0.i1 = phi float [ %.i13, %.lr.ph ], [ %sum.1.i1, %73 ]
  %sum.0.i2 = phi float [ %.i24, %.lr.ph ], [ %sum.1.i2, %73 ]
  %i.0 = phi i32 [ 0, %.lr.ph ], [ %74, %73 ]
  call void @llvm.dbg.value(metadata float %sum.0.i0, i64 0, metadata !153, metadata !154), !dbg !152
  call void @llvm.dbg.value(metadata float %sum.0.i1, i64 0, metadata !153, metadata !155), !dbg !152
  call void @llvm.dbg.value(metadata float %sum.0.i2, i64 0, metadata !153, metadata !156), !dbg !152
  call void @llvm.dbg.value(metadata i32 %i.0, i64 0, metadata !158, metadata !142), !dbg !157
  %32 = mul i32 %i.0, 2, !dbg !162
  %33 = add i32 0, %32, !dbg !162
  %34 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %1, i32 %33), !dbg !162
  %35 = extractvalue %dx.types.CBufRet.f32 %34, 0, !dbg !162
  %36 = extractvalue %dx.types.CBufRet.f32 %34, 1, !dbg !162
  %37 = extractvalue %dx.types.CBufRet.f32 %34, 2, !dbg !162
  %.i05 = fsub fast float %35, %7, !dbg !163
  %.i16 = fsub fast float %36, %8, !dbg !163
  %.i27 = fsub fast float %37, %9, !dbg !163
  %38 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !164
  call void @llvm.dbg.value(metadata float %.i05, i64 0, metadata !165, metadata !154), !dbg !164
  call void @llvm.dbg.value(metadata float %.i16, i64 0, metadata !165, metadata !155), !dbg !164
  call void @llvm.dbg.value(metadata float %.i27, i64 0, metadata !165, metadata !156), !dbg !164
  %39 = call float @dx.op.dot3.f32(i32 55, float %.i05, float %.i16, float %.i27, float %.i05, float %.i16, float %.i27), !dbg !166
  %40 = mul i32 %i.0, 2, !dbg !168
  %41 = add i32 0, %40, !dbg !168
  %42 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %1, i32 %41), !dbg !168
  %43 = extractvalue %dx.types.CBufRet.f32 %42, 3, !dbg !168
  %44 = fcmp fast ogt float %39, %43, !dbg !169
  %45 = icmp ne i1 %44, false, !dbg !169
  %46 = icmp ne i1 %45, false, !dbg !169
  br i1 %46, label %47, label %48, !dbg !170, !dx.controlflow.hints !171
; <label>:47
  br label %73, !dbg !172
; <label>:48
  %49 = uitofp i32 %6 to float, !dbg !173
  %50 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %shadow_texture_2darray, %dx.types.ResourceProperties { i32 7, i32 265 }), !dbg !129
  %51 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %compare_sampler, %dx.types.ResourceProperties { i32 32782, i32 0 }), !dbg !129
  %52 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %50, %dx.types.Handle %51, float %4, float %5, float %49, float undef, i32 0, i32 0, i32 undef, float %.i27), !dbg !129
  call void @llvm.dbg.value(metadata %dx.types.ResRet.f32 %52, i64 0, metadata !174, metadata !142), !dbg !175
  %53 = extractvalue %dx.types.ResRet.f32 %52, 0, !dbg !129
  %54 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !175
  %55 = mul i32 %i.0, 2, !dbg !176
  %56 = add i32 0, %55, !dbg !176
  %57 = add i32 %56, 1, !dbg !176
  %58 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %1, i32 %57), !dbg !176
  %59 = extractvalue %dx.types.CBufRet.f32 %58, 0, !dbg !176
  %60 = extractvalue %dx.types.CBufRet.f32 %58, 1, !dbg !176
  %61 = extractvalue %dx.types.CBufRet.f32 %58, 2, !dbg !176
  %.i08 = fmul fast float %59, %53, !dbg !177
  %.i19 = fmul fast float %60, %53, !dbg !177
  %.i210 = fmul fast float %61, %53, !dbg !177
  %62 = mul i32 %i.0, 2, !dbg !178
  %63 = add i32 0, %62, !dbg !178
  %64 = add i32 %63, 1, !dbg !178
  %65 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %1, i32 %64), !dbg !178
  %66 = extractvalue %dx.types.CBufRet.i32 %65, 3, !dbg !178
  %67 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !179
  call void @llvm.dbg.value(metadata i32 %66, i64 0, metadata !180, metadata !142), !dbg !181
  call void @llvm.dbg.value(metadata float %.i05, i64 0, metadata !183, metadata !154), !dbg !184
  call void @llvm.dbg.value(metadata float %.i16, i64 0, metadata !183, metadata !155), !dbg !184
  call void @llvm.dbg.value(metadata float %.i27, i64 0, metadata !183, metadata !156), !dbg !184
  %68 = icmp eq i32 %66, 1, !dbg !185
  br i1 %68, label %69, label %70, !dbg !187
; <label>:69
  br label %"\01?brightness@@YAMV?$vector@M$02@@I@Z.exit", !dbg !188
; <label>:70
  %Saturate = call float @dx.op.unary.f32(i32 7, float %.i16), !dbg !189
  br label %"\01?brightness@@YAMV?$vector@M$02@@I@Z.exit", !dbg !190
"\01?brightness@@YAMV?$vector@M$02@@I@Z.exit":
  %.0 = phi float [ 1.000000e+00, %69 ], [ %Saturate, %70 ]
  %71 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !191
  %.i011 = fmul fast float %.i08, %.0, !dbg !192
  %.i112 = fmul fast float %.i19, %.0, !dbg !192
  %.i213 = fmul fast float %.i210, %.0, !dbg !192
  %.i014 = fadd fast float %sum.0.i0, %.i011, !dbg !193
  %.i115 = fadd fast float %sum.0.i1, %.i112, !dbg !193
  %.i216 = fadd fast float %sum.0.i2, %.i213, !dbg !193
  %72 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !193
  call void @llvm.dbg.value(metadata float %.i014, i64 0, metadata !153, metadata !154), !dbg !152
  call void @llvm.dbg.value(metadata float %.i115, i64 0, metadata !153, metadata !155), !dbg !152
  call void @llvm.dbg.value(metadata float %.i216, i64 0, metadata !153, metadata !156), !dbg !152
  br label %73, !dbg !194
; <label>:73
  %sum.1.i0 = phi float [ %sum.0.i0, %47 ], [ %.i014, %"\01?brightness@@YAMV?$vector@M$02@@I@Z.exit" ]
  %sum.1.i1 = phi float [ %sum.0.i1, %47 ], [ %.i115, %"\01?brightness@@YAMV?$vector@M$02@@I@Z.exit" ]
  %sum.1.i2 = phi float [ %sum.0.i2, %47 ], [ %.i216, %"\01?brightness@@YAMV?$vector@M$02@@I@Z.exit" ]
  call void @llvm.dbg.value(metadata float %sum.1.i0, i64 0, metadata !153, metadata !154), !dbg !152
  call void @llvm.dbg.value(metadata float %sum.1.i1, i64 0, metadata !153, metadata !155), !dbg !152
  call void @llvm.dbg.value(metadata float %sum.1.i2, i64 0, metadata !153, metadata !156), !dbg !152
  %74 = add i32 %i.0, 1, !dbg !195
  %75 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !195
  call void @llvm.dbg.value(metadata i32 %74, i64 0, metadata !158, metadata !142), !dbg !157
  %76 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %1, i32 8), !dbg !159
  %77 = extractvalue %dx.types.CBufRet.i32 %76, 0, !dbg !159
  %78 = icmp ult i32 %74, %77, !dbg !160
  %79 = icmp ne i1 %78, false, !dbg !160
  %80 = icmp ne i1 %79, false, !dbg !161
  br i1 %80, label %31, label %._crit_edge, !dbg !161, !llvm.loop !196
._crit_edge:
  %sum.1.i2.lcssa = phi float [ %sum.1.i2, %73 ]
  %sum.1.i1.lcssa = phi float [ %sum.1.i1, %73 ]
  %sum.1.i0.lcssa = phi float [ %sum.1.i0, %73 ]
  br label %81, !dbg !161
; <label>:81
  %sum.2.i0 = phi float [ %sum.1.i0.lcssa, %._crit_edge ], [ %.i02, %25 ]
  %sum.2.i1 = phi float [ %sum.1.i1.lcssa, %._crit_edge ], [ %.i13, %25 ]
  %sum.2.i2 = phi float [ %sum.1.i2.lcssa, %._crit_edge ], [ %.i24, %25 ]
  call void @llvm.dbg.value(metadata float %sum.2.i0, i64 0, metadata !153, metadata !154), !dbg !152
  call void @llvm.dbg.value(metadata float %sum.2.i1, i64 0, metadata !153, metadata !155), !dbg !152
  call void @llvm.dbg.value(metadata float %sum.2.i2, i64 0, metadata !153, metadata !156), !dbg !152
  %82 = icmp ne i32 %10, 0, !dbg !198
  %.i021 = fsub fast float -0.000000e+00, %sum.2.i0, !dbg !199
  %.i123 = fsub fast float -0.000000e+00, %sum.2.i1, !dbg !199
  %.i225 = fsub fast float -0.000000e+00, %sum.2.i2, !dbg !199
  %83 = select i1 %82, float %sum.2.i0, float %.i021, !dbg !198
  %84 = select i1 %82, float %sum.2.i1, float %.i123, !dbg !198
  %85 = select i1 %82, float %sum.2.i2, float %.i225, !dbg !198
  %DerivCoarseX = call float @dx.op.unary.f32(i32 83, float %4), !dbg !200
  %FAbs = call float @dx.op.unary.f32(i32 6, float %DerivCoarseX), !dbg !200
  %DerivCoarseY = call float @dx.op.unary.f32(i32 84, float %4), !dbg !200
  %FAbs1 = call float @dx.op.unary.f32(i32 6, float %DerivCoarseY), !dbg !200
  %86 = fadd fast float %FAbs, %FAbs1, !dbg !200
  %87 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !201
  call void @llvm.dbg.value(metadata float %83, i64 0, metadata !202, metadata !154), !dbg !203
  call void @llvm.dbg.value(metadata float %84, i64 0, metadata !202, metadata !155), !dbg !203
  call void @llvm.dbg.value(metadata float %85, i64 0, metadata !202, metadata !156), !dbg !203
  call void @llvm.dbg.value(metadata float %86, i64 0, metadata !202, metadata !204), !dbg !203
  %88 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !205
  call void @llvm.dbg.value(metadata i32 %6, i64 0, metadata !202, metadata !137), !dbg !203
  %89 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !206
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %83), !dbg !206
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %84), !dbg !206
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %85), !dbg !206
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %86), !dbg !206
  call void @dx.op.storeOutput.i32(i32 5, i32 1, i32 0, i8 0, i32 %6), !dbg !206
  %90 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !207
  ret void, !dbg !207
}
declare void @llvm.dbg.value(metadata, i64, metadata, metadata) readnone
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
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!78, !79}
!llvm.ident = !{!80}
!dx.source.contents = !{!81}
!dx.source.defines = !{!2}
!dx.source.mainFileName = !{!82}
!dx.source.args = !{!83}
!dx.version = !{!84}
!dx.valver = !{!85}
!dx.shaderModel = !{!86}
!dx.resources = !{!87}
!dx.typeAnnotations = !{!97, !107}
!dx.viewIdState = !{!110}
!dx.entryPoints = !{!111}
!2 = !{}
!3 = !{!4, !15}
!6 = !{!7, !9, !10}
!11 = !{!12, !13}
!17 = !{!18, !19, !20, !21}
!22 = !{!12, !23}
!24 = !{!25, !48}
!27 = !{!28, !34, !47}
!29 = !{!30, !31}
!35 = !{!36, !37, !38, !39}
!42 = !{!43, !44}
!45 = !{!12, !46}
!50 = !{!8, !4, !32}
!51 = !{!52, !63, !65, !67, !71, !74, !76}
!56 = !{!57, !58, !59, !60}
!61 = !{!62}
!69 = !{!70}
!73 = !{!12}
!78 = !{i32 2, !"Dwarf Version", i32 4}
!79 = !{i32 2, !"Debug Info Version", i32 3}
!80 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!81 = !{!"surface.hlsl", !"// A pixel shader: textures, samplers, a constant buffer, derivatives, discard, loop hints, an inlined function, several targets.\0Astruct Light { float3 position; float range; float3 color; uint kind; };\0Acbuffer Scene : register(b0) { Light lights[4]; uint light_count; float cutoff; };\0ATexture2D<float4> albedo : register(t0);\0ATexture2DArray<float> shadow : register(t1);\0ASamplerState smooth : register(s0);\0ASamplerComparisonState compare : register(s1);\0A\0Astruct Pixel { float4 position : SV_Position; float3 world : WORLD; nointerpolation uint layer : LAYER; float2 uv : TEXCOORD0; };\0Astruct Targets { float4 color : SV_Target0; uint id : SV_Target1; };\0A\0Afloat brightness(float3 way, uint kind) {\0A    if (kind == 1)\0A        return 1.0;\0A    return saturate(way.y);\0A}\0A\0ATargets main(Pixel pixel, bool front : SV_IsFrontFace) {\0A    float4 base = albedo.Sample(smooth, pixel.uv);\0A    if (base.a < cutoff)\0A        discard;\0A    float3 sum = 0.05 * base.rgb;\0A    [loop] for (uint i = 0; i < light_count; ++i) {\0A        float3 way = lights[i].position - pixel.world;\0A        [branch] if (dot(way, way) > lights[i].range)\0A            continue;\0A        float lit = shadow.SampleCmpLevelZero(compare, float3(pixel.uv, pixel.layer), way.z);\0A        sum += lights[i].color * lit * brightness(way, lights[i].kind);\0A    }\0A    Targets targets;\0A    targets.color = float4(front ? sum : -sum, fwidth(pixel.uv.x));\0A    targets.id = pixel.layer;\0A    return targets;\0A}\0A"}
!82 = !{!"surface.hlsl"}
!83 = !{!"-T", !"ps_6_6", !"-Od", !"-Zi", !"-Qembed_debug"}
!84 = !{i32 1, i32 6}
!85 = !{i32 1, i32 7}
!86 = !{!"ps", i32 6, i32 6}
!87 = !{!88, null, !92, !94}
!88 = !{!89, !91}
!89 = !{i32 0, %"class.Texture2D<vector<float, 4> >"* undef, !"albedo", i32 0, i32 0, i32 1, i32 2, i32 0, !90}
!90 = !{i32 0, i32 9}
!91 = !{i32 1, %"class.Texture2DArray<float>"* undef, !"shadow", i32 0, i32 1, i32 1, i32 7, i32 0, !90}
!92 = !{!93}
!93 = !{i32 0, %Scene* undef, !"Scene", i32 0, i32 0, i32 1, i32 136, null}
!94 = !{!95, !96}
!95 = !{i32 0, %struct.SamplerState* undef, !"smooth", i32 0, i32 0, i32 1, i32 0, null}
!96 = !{i32 1, %struct.SamplerComparisonState* undef, !"compare", i32 0, i32 1, i32 1, i32 1, null}
!97 = !{i32 0, %struct.Light undef, !98, %Scene undef, !103}
!98 = !{i32 32, !99, !100, !101, !102}
!99 = !{i32 6, !"position", i32 3, i32 0, i32 7, i32 9}
!100 = !{i32 6, !"range", i32 3, i32 12, i32 7, i32 9}
!101 = !{i32 6, !"color", i32 3, i32 16, i32 7, i32 9}
!102 = !{i32 6, !"kind", i32 3, i32 28, i32 7, i32 5}
!103 = !{i32 136, !104, !105, !106}
!104 = !{i32 6, !"lights", i32 3, i32 0, i32 9, i1 true}
!105 = !{i32 6, !"light_count", i32 3, i32 128, i32 7, i32 5, i32 9, i1 true}
!106 = !{i32 6, !"cutoff", i32 3, i32 132, i32 7, i32 9, i32 9, i1 true}
!107 = !{i32 1, void ()* @main, !108}
!108 = !{!109}
!109 = !{i32 0, !2, !2}
!110 = !{[16 x i32] [i32 14, i32 5, i32 0, i32 0, i32 0, i32 0, i32 7, i32 7, i32 7, i32 0, i32 23, i32 7, i32 0, i32 0, i32 15, i32 7]}
!111 = !{void ()* @main, !"main", !112, !87, !128}
!112 = !{!113, !123, null}
!113 = !{!114, !116, !118, !120, !122}
!114 = !{i32 0, !"SV_Position", i8 9, i8 3, !115, i8 4, i32 1, i8 4, i32 0, i8 0, null}
!115 = !{i32 0}
!116 = !{i32 1, !"WORLD", i8 9, i8 0, !115, i8 2, i32 1, i8 3, i32 1, i8 0, !117}
!117 = !{i32 3, i32 7}
!118 = !{i32 2, !"LAYER", i8 5, i8 0, !115, i8 1, i32 1, i8 1, i32 2, i8 0, !119}
!119 = !{i32 3, i32 1}
!120 = !{i32 3, !"TEXCOORD", i8 9, i8 0, !115, i8 2, i32 1, i8 2, i32 3, i8 0, !121}
!121 = !{i32 3, i32 3}
!122 = !{i32 4, !"SV_IsFrontFace", i8 5, i8 13, !115, i8 1, i32 1, i8 1, i32 2, i8 1, !119}
!123 = !{!124, !126}
!124 = !{i32 0, !"SV_Target", i8 9, i8 16, !115, i8 0, i32 1, i8 4, i32 0, i8 0, !125}
!125 = !{i32 3, i32 15}
!126 = !{i32 1, !"SV_Target", i8 5, i8 16, !127, i8 0, i32 1, i8 1, i32 1, i8 0, !119}
!127 = !{i32 1}
!128 = !{i32 0, i64 1}
!171 = distinct !{!171, !"dx.controlflow.hints", i32 1}
!196 = distinct !{!196, !197}
!197 = !{!"llvm.loop.unroll.disable"}
