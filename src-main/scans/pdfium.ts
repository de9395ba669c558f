import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { withMemoryLimit } from '../pictures/wasm-limit.ts';

/** The functions of PDFium that are used; handles and addresses are numbers, 0 for none. */
export interface Pdfium {
  _FPDF_LoadMemDocument(address: number, size: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPage_RemoveObject(page: number, object: number): number;
  _FPDFPageObj_Destroy(object: number): void;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(
    object: number,
    left: number,
    bottom: number,
    right: number,
    top: number,
  ): number;
  _FPDFImageObj_GetImagePixelSize(object: number, width: number, height: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetCharBox(
    text: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number;
  _FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    address: number,
    stride: number,
  ): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void;
  _FPDFBitmap_GetBuffer(bitmap: number): number;
  _FPDFBitmap_GetStride(bitmap: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    turns: number,
    flags: number,
  ): void;
  readonly wasmExports: { malloc(size: number): number; free(address: number): void };
  /** Replaced when the memory grows. */
  readonly HEAPU8: Uint8Array;
}

/** PDFium as WebAssembly with at most this much memory. For use in a process of its own. */
export async function loadPdfium(memoryBytes: number): Promise<Pdfium> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const { resolve } = createRequire(import.meta.url);
  const file = readFileSync(resolve('@hyzyla/pdfium/pdfium.wasm'));
  const library = await PDFiumLibrary.init({
    wasmBinary: withMemoryLimit(file, memoryBytes).buffer,
  });
  // The package has no public way to its module, whose functions say where on a page something is.
  return (library as unknown as { readonly module: Pdfium }).module;
}
