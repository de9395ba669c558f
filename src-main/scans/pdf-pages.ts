import type { Size } from '../pictures/types.ts';
import type { Pdfium } from './pdfium.ts';
import { tooLargeScan, unreadableScan } from './scan-errors.ts';

/** Pixels of a drawn page, row by row. */
export interface Bitmap extends Size {
  readonly data: Uint8Array;
  /** Bytes of one pixel: 1 for grey, 3 for red, green and blue. */
  readonly channels: 1 | 3;
}

/** Left, bottom, right, top, in points. */
type Box = readonly [number, number, number, number];

type CNumber = 'uint' | 'float' | 'double';

const PASSWORD_ERROR = 4;
const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;
const GREY = 1;
const BGRX = 3;
const WITH_ANNOTATIONS = 0x01;
const IN_GREY = 0x08;
const AS_RGB = 0x10;
const WHITE = 0xffffffff;
const POINTS_PER_INCH = 72;
const DOTS_PER_INCH = 300;
/** Objects of a page that are looked at: a scan has few. */
const MOST_OBJECTS = 20_000;
const MOST_CHARS = 20_000;
/** Smaller pictures are logos and signatures. */
const LEAST_SHARE = 0.1;
/** A stamp or page number on a scan; the text layer of a page that someone recognised already has more. */
const STAMP_CHARS = 110;
/** Letters that were turned into outlines are at least so many paths. */
const OUTLINES = 40;

/** The pages of one PDF. Pages count from 1. */
export class PdfPages {
  readonly #pdfium: Pdfium;
  readonly #document: number;
  /** Where the file is in PDFium's memory, which it reads from until it is closed. */
  readonly #address: number;
  readonly count: number;

  /** Throws `LIBRARY_UNREADABLE` for what is damaged or locked. */
  constructor(pdfium: Pdfium, bytes: Uint8Array) {
    this.#pdfium = pdfium;
    const address = pdfium.wasmExports.malloc(bytes.length);
    if (address === 0) throw tooLargeScan('Reading it takes more memory than allowed.');
    pdfium.HEAPU8.set(bytes, address);
    this.#address = address;
    this.#document = pdfium._FPDF_LoadMemDocument(address, bytes.length, 0);
    if (this.#document === 0) {
      const code = pdfium._FPDF_GetLastError();
      pdfium.wasmExports.free(address);
      throw code === PASSWORD_ERROR
        ? unreadableScan('It is protected by a password. Save a copy without the password.')
        : unreadableScan('It is damaged, or not a PDF.');
    }
    this.count = pdfium._FPDF_GetPageCount(this.#document);
  }

  /**
   * Whether a page shows what may be text and is none: pictures without text over them, or outlines without any text.
   * Throws `FILE_TOO_LARGE` for a picture of more than `picturePixels`, which would be left out of a drawing.
   */
  isScan(number: number, picturePixels: number): boolean {
    return this.#onPage(number, (page, size) => {
      const objects = this.#objectsOf(page);
      const pictures = objects.filter((object) => this.#pixelsOf(object, 0) > 0);
      const boxes = pictures.map((object) => this.#boxOf(object));
      const area = boxes.reduce((sum, box) => sum + areaWithin(box, size), 0);
      const { all, over } = this.#charsOf(page, boxes);
      if (area >= LEAST_SHARE * size.width * size.height) {
        if (over >= STAMP_CHARS) return false;
        for (const object of pictures) requirePixels(this.#pixelsOf(object, 0), picturePixels);
        return true;
      }
      const paths = objects.filter((object) => this.#typeOf(object) === PATH).length;
      return all < 10 && paths >= OUTLINES;
    });
  }

  /** What a scanned page shows besides its text, in grey. `turns` are quarters of a turn, clockwise. */
  drawScan(number: number, { pixels, turns }: { pixels: number; turns: number }): Bitmap {
    return this.#onPage(number, (page, size) => {
      const { _FPDFPage_RemoveObject: remove, _FPDFPageObj_Destroy: destroy } = this.#pdfium;
      for (const object of this.#objectsOf(page)) {
        if (this.#typeOf(object) === TEXT && remove(page, object) !== 0) destroy(object);
      }
      return this.#draw(page, { size: sizeFor(size, pixels), turns, channels: 1 });
    });
  }

  /** A page as it is shown, in colour, no larger than `within`. */
  draw(number: number, within: Size): Bitmap {
    return this.#onPage(number, (page, { width, height }) => {
      const scale = Math.min(within.width / width, within.height / height);
      const size = {
        width: Math.max(1, Math.floor(width * scale)),
        height: Math.max(1, Math.floor(height * scale)),
      };
      return this.#draw(page, { size, turns: 0, channels: 3 });
    });
  }

  /** Once only: PDFium does not know closed documents from open ones. */
  close(): void {
    this.#pdfium._FPDF_CloseDocument(this.#document);
    this.#pdfium.wasmExports.free(this.#address);
  }

  #onPage<Result>(number: number, work: (page: number, size: Size) => Result): Result {
    const page = this.#pdfium._FPDF_LoadPage(this.#document, number - 1);
    if (page === 0) throw unreadableScan('The page is damaged.');
    try {
      const width = this.#pdfium._FPDF_GetPageWidthF(page);
      const height = this.#pdfium._FPDF_GetPageHeightF(page);
      if (!(width > 0 && height > 0)) throw unreadableScan('The page has no size.');
      return work(page, { width, height });
    } finally {
      this.#pdfium._FPDF_ClosePage(page);
    }
  }

  #draw(
    page: number,
    {
      size: { width: across, height: down },
      turns,
      channels,
    }: { readonly size: Size; readonly turns: number; readonly channels: 1 | 3 },
  ): Bitmap {
    const [width, height] = turns % 2 === 0 ? [across, down] : [down, across];
    const format = channels === 1 ? GREY : BGRX;
    const bitmap = this.#pdfium._FPDFBitmap_CreateEx(width, height, format, 0, 0);
    if (bitmap === 0) throw tooLargeScan('Drawing the page takes more memory than allowed.');
    try {
      this.#pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      const flags = WITH_ANNOTATIONS | (channels === 1 ? IN_GREY : AS_RGB);
      this.#pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, turns, flags);
      const from = this.#pdfium._FPDFBitmap_GetBuffer(bitmap);
      const stride = this.#pdfium._FPDFBitmap_GetStride(bitmap);
      const bytes = this.#pdfium.HEAPU8.subarray(from, from + stride * height);
      return { width, height, channels, data: packed(bytes, { width, height, stride, channels }) };
    } finally {
      this.#pdfium._FPDFBitmap_Destroy(bitmap);
    }
  }

  #objectsOf(page: number): number[] {
    const count = Math.min(this.#pdfium._FPDFPage_CountObjects(page), MOST_OBJECTS);
    return Array.from({ length: Math.max(0, count) }, (_, index) =>
      this.#pdfium._FPDFPage_GetObject(page, index),
    );
  }

  #typeOf(object: number): number {
    return this.#pdfium._FPDFPageObj_GetType(object);
  }

  /** Of the largest picture that an object is or holds; 0 if there is none. */
  #pixelsOf(object: number, depth: number): number {
    const type = this.#typeOf(object);
    if (type === IMAGE) {
      const [width = 0, height = 0] = this.#read(2, 'uint', ([across = 0, down = 0]) =>
        this.#pdfium._FPDFImageObj_GetImagePixelSize(object, across, down),
      );
      return Math.max(1, width * height);
    }
    if (type !== FORM || depth > 3) return 0;
    const count = Math.min(this.#pdfium._FPDFFormObj_CountObjects(object), 1_000);
    let most = 0;
    for (let index = 0; index < count; index += 1) {
      const inner = this.#pdfium._FPDFFormObj_GetObject(object, index);
      most = Math.max(most, this.#pixelsOf(inner, depth + 1));
    }
    return most;
  }

  #boxOf(object: number): Box {
    return this.#read(4, 'float', ([left = 0, bottom = 0, right = 0, top = 0]) =>
      this.#pdfium._FPDFPageObj_GetBounds(object, left, bottom, right, top),
    ) as unknown as Box;
  }

  /** How many characters the text of a page has, and how many of them lie over one of the boxes. */
  #charsOf(page: number, boxes: readonly Box[]): { readonly all: number; readonly over: number } {
    const text = this.#pdfium._FPDFText_LoadPage(page);
    if (text === 0) return { all: 0, over: 0 };
    try {
      const count = Math.min(this.#pdfium._FPDFText_CountChars(text), MOST_CHARS);
      let all = 0;
      let over = 0;
      for (let index = 0; index < count; index += 1) {
        if (this.#pdfium._FPDFText_GetUnicode(text, index) <= 0x20) continue;
        all += 1;
        const [left = 0, right = 0, bottom = 0, top = 0] = this.#read(4, 'double', (at) =>
          this.#pdfium._FPDFText_GetCharBox(
            text,
            index,
            at[0] ?? 0,
            at[1] ?? 0,
            at[2] ?? 0,
            at[3] ?? 0,
          ),
        );
        const x = (left + right) / 2;
        const y = (bottom + top) / 2;
        if (boxes.some((box) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]))
          over += 1;
      }
      return { all, over };
    } finally {
      this.#pdfium._FPDFText_ClosePage(text);
    }
  }

  /** Numbers of C that a function writes at these addresses. */
  #read(count: number, type: CNumber, write: (addresses: number[]) => void): number[] {
    const { malloc, free } = this.#pdfium.wasmExports;
    const width = type === 'double' ? 8 : 4;
    const start = malloc(count * width);
    if (start === 0) throw tooLargeScan('Reading it takes more memory than allowed.');
    try {
      const places = Array.from({ length: count }, (_, index) => start + index * width);
      write(places);
      const { buffer } = this.#pdfium.HEAPU8;
      const view = new DataView(buffer);
      return places.map((at) =>
        type === 'double'
          ? view.getFloat64(at, true)
          : type === 'float'
            ? view.getFloat32(at, true)
            : view.getUint32(at, true),
      );
    } finally {
      free(start);
    }
  }
}

function requirePixels(pixels: number, most: number): void {
  if (pixels <= most) return;
  const mega = (count: number): string => Math.round(count / 1e6).toString();
  throw tooLargeScan(
    `Its picture has ${mega(pixels)} megapixels; at most ${mega(most)} can be read.`,
  );
}

function sizeFor({ width, height }: Size, pixels: number): Size {
  const scale = Math.min(DOTS_PER_INCH / POINTS_PER_INCH, Math.sqrt(pixels / (width * height)));
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.min(Math.floor(height * scale), pixels)),
  };
}

function areaWithin([left, bottom, right, top]: Box, { width, height }: Size): number {
  const across = Math.min(right - left, Math.max(width, height));
  const down = Math.min(top - bottom, Math.max(width, height));
  return Math.max(0, across) * Math.max(0, down);
}

/** Without the bytes at the ends of rows and, in colour, of pixels. */
function packed(
  bytes: Uint8Array,
  { width, height, stride, channels }: Size & { readonly stride: number; readonly channels: 1 | 3 },
): Uint8Array {
  const data = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row += 1) {
    const line = bytes.subarray(row * stride, (row + 1) * stride);
    const at = row * width * channels;
    if (channels === 1) data.set(line.subarray(0, width), at);
    else
      for (let column = 0; column < width; column += 1) {
        data.set(line.subarray(column * 4, column * 4 + 3), at + column * 3);
      }
  }
  return data;
}
