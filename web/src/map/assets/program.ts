import { GLIDE_MS } from '../glide';
import { ATLAS_COLUMNS, ATLAS_ROWS } from './atlas';
import { INSTANCE_BYTES } from './fill';

const VERTEX = `#version 300 es
uniform mat4 u_matrix;
uniform vec2 u_viewport;   // device pixels
uniform float u_half;      // half a cell, device pixels
uniform float u_time;      // seconds since the epoch of the fill
uniform float u_bearing;   // turns
in vec2 a_corner;
in vec4 a_move;
in float a_start;
in vec4 a_cell;
in float a_turn;
out vec2 v_shape;
out vec2 v_overlay;
flat out vec2 v_cells;
flat out float v_alpha;
void main() {
  float share = clamp((u_time - a_start) / ${(GLIDE_MS / 1000).toFixed(3)}, 0.0, 1.0);
  vec4 place = u_matrix * vec4(mix(a_move.xy, a_move.zw, share), 0.0, 1.0);
  vec2 pixel = (place.xy / place.w * 0.5 + 0.5) * u_viewport;
  // At rest a mark stands on whole pixels and is as sharp as its drawing.
  if (share >= 1.0) pixel = floor(pixel) + fract(u_half);
  pixel += a_corner * u_half * a_cell.w / 64.0;
  gl_Position = vec4(pixel / u_viewport * 2.0 - 1.0, 0.0, 1.0);
  vec2 down = vec2(a_corner.x, -a_corner.y);
  float angle = (a_turn - u_bearing) * 6.283185307179586;
  float s = sin(angle);
  float c = cos(angle);
  v_shape = a_turn == 0.0 ? down : vec2(c * down.x + s * down.y, -s * down.x + c * down.y);
  v_overlay = down;
  v_cells = a_cell.xy;
  v_alpha = a_cell.z / 255.0;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D u_atlas;
in vec2 v_shape;
in vec2 v_overlay;
flat in vec2 v_cells;
flat in float v_alpha;
out vec4 color;
const vec2 GRID = vec2(${ATLAS_COLUMNS}.0, ${ATLAS_ROWS}.0);
vec4 cell(float index, vec2 at) {
  if (index > 254.5 || max(abs(at.x), abs(at.y)) > 1.0) return vec4(0.0);
  vec2 place = vec2(mod(index, GRID.x), floor(index / GRID.x));
  return textureLod(u_atlas, (place + at * 0.5 + 0.5) / GRID, 0.0);
}
void main() {
  vec4 shape = cell(v_cells.x, v_shape);
  vec4 glyph = cell(v_cells.y, v_overlay);
  color = (glyph + shape * (1.0 - glyph.a)) * v_alpha; // premultiplied
  if (color.a < 0.004) discard;
}`;

const UNIFORMS = ['u_matrix', 'u_viewport', 'u_half', 'u_time', 'u_bearing', 'u_atlas'] as const;

export interface MarkUniforms {
  readonly matrix: Float32Array;
  readonly viewport: readonly [width: number, height: number];
  readonly halfCell: number;
  readonly time: number;
  readonly bearing: number;
}

function compile(gl: WebGL2RenderingContext, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type);
  if (!shader) throw new Error('the graphics context is lost');
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`map marks: ${gl.getShaderInfoLog(shader) ?? 'shader'}`);
  }
  return shader;
}

/** The GPU side of the marks: one program, one instance buffer, one atlas texture, its own vertex array. */
export class MarkProgram {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #vao: WebGLVertexArrayObject;
  readonly #corners: WebGLBuffer;
  readonly #instances: WebGLBuffer;
  readonly #texture: WebGLTexture;
  readonly #uniforms: ReadonlyMap<string, WebGLUniformLocation | null>;
  #capacity = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    const program = gl.createProgram();
    const vertex = compile(gl, gl.VERTEX_SHADER, VERTEX);
    const fragment = compile(gl, gl.FRAGMENT_SHADER, FRAGMENT);
    gl.attachShader(program, vertex);
    gl.attachShader(program, fragment);
    gl.linkProgram(program);
    gl.deleteShader(vertex);
    gl.deleteShader(fragment);
    this.#program = program;
    this.#uniforms = new Map(UNIFORMS.map(name => [name, gl.getUniformLocation(program, name)]));
    this.#vao = gl.createVertexArray();
    this.#corners = gl.createBuffer();
    this.#instances = gl.createBuffer();
    this.#texture = gl.createTexture();
    this.#describe();
  }

  #describe(): void {
    const gl = this.#gl;
    const at = (name: string): number => gl.getAttribLocation(this.#program, name);
    gl.bindVertexArray(this.#vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(at('a_corner'));
    gl.vertexAttribPointer(at('a_corner'), 2, gl.FLOAT, false, 8, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    const fields: readonly [string, number, number, boolean, number][] = [
      ['a_move', 4, gl.FLOAT, false, 0],
      ['a_start', 1, gl.FLOAT, false, 16],
      ['a_cell', 4, gl.UNSIGNED_BYTE, false, 20],
      ['a_turn', 1, gl.UNSIGNED_SHORT, true, 24],
    ];
    for (const [name, size, type, normalized, offset] of fields) {
      gl.enableVertexAttribArray(at(name));
      gl.vertexAttribPointer(at(name), size, type, normalized, INSTANCE_BYTES, offset);
      gl.vertexAttribDivisor(at(name), 1);
    }
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
  }

  uploadAtlas(canvas: OffscreenCanvas): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.bindTexture(gl.TEXTURE_2D, null);
  }

  uploadInstances(bytes: ArrayBuffer, instances: number): void {
    const gl = this.#gl;
    const length = instances * INSTANCE_BYTES;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    if (length > this.#capacity) {
      this.#capacity = Math.max(length, this.#capacity * 2);
      gl.bufferData(gl.ARRAY_BUFFER, this.#capacity, gl.DYNAMIC_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, new Uint8Array(bytes, 0, length));
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
  }

  draw(instances: number, uniforms: MarkUniforms): void {
    const gl = this.#gl;
    const at = (name: (typeof UNIFORMS)[number]): WebGLUniformLocation | null => this.#uniforms.get(name) ?? null;
    // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's own name, not a hook
    gl.useProgram(this.#program);
    gl.bindVertexArray(this.#vao);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.uniformMatrix4fv(at('u_matrix'), false, uniforms.matrix);
    gl.uniform2f(at('u_viewport'), uniforms.viewport[0], uniforms.viewport[1]);
    gl.uniform1f(at('u_half'), uniforms.halfCell);
    gl.uniform1f(at('u_time'), uniforms.time);
    gl.uniform1f(at('u_bearing'), uniforms.bearing);
    gl.uniform1i(at('u_atlas'), 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, instances);
    gl.bindVertexArray(null);
    gl.bindTexture(gl.TEXTURE_2D, null);
  }

  dispose(): void {
    const gl = this.#gl;
    gl.deleteProgram(this.#program);
    gl.deleteVertexArray(this.#vao);
    gl.deleteBuffer(this.#corners);
    gl.deleteBuffer(this.#instances);
    gl.deleteTexture(this.#texture);
  }
}
