import type { SlideFonts } from '../fonts.ts';
import type { Box, ChartElement, Color } from '../types.ts';
import { niceScale, type Scale, scaleLabel } from './chart-scale.ts';
import type { Mark, Point, TextMark } from './marks.ts';

const LEGEND_HEIGHT = 24;
const TICK_GAP = 6;
const SLICE_STEPS = 60;
const DOT = 7;

/** A chart as PowerPoint would about draw it: the native chart of the file is drawn by the program that opens it. */
export function drawChart(element: ChartElement, fonts: SlideFonts): Mark[] {
  const { chart, box } = element;
  const pen = new ChartPen(element, fonts);
  const isRound = chart.type === 'pie' || chart.type === 'doughnut';
  const names = isRound ? chart.categories : chart.series.map(({ name }) => name);
  const hasLegend = isRound || chart.series.length > 1;
  const legend = hasLegend ? pen.legend(names, box) : [];
  const plot = { ...box, height: box.height - (hasLegend ? LEGEND_HEIGHT : 0) };
  if (isRound) return [...drawRound(element, plot, pen), ...legend];
  return [...drawAxes(element, plot, pen), ...legend];
}

class ChartPen {
  readonly #element: ChartElement;
  readonly #fonts: SlideFonts;

  constructor(element: ChartElement, fonts: SlideFonts) {
    this.#element = element;
    this.#fonts = fonts;
  }

  width(text: string): number {
    return this.#fonts.width(text, this.#element.style);
  }

  text(
    text: string,
    [x, y]: Point,
    options: Partial<Pick<TextMark, 'align' | 'turned'>> = {},
  ): Mark {
    const { style } = this.#element;
    return { kind: 'text', text, x, y, style, align: 'center', isRightToLeft: false, ...options };
  }

  /** As much of a label as this width holds. */
  short(text: string, width: number): string {
    if (this.width(text) <= width) return text;
    let letters = [...text];
    while (letters.length > 1 && this.width(`${letters.join('')}…`) > width) {
      letters = letters.slice(0, -1);
    }
    return `${letters.join('').trimEnd()}…`;
  }

  legend(names: readonly string[], box: Box): Mark[] {
    const { style, colors } = this.#element;
    const most = Math.max(40, box.width / names.length - 26);
    const shown = names.map((name) => this.short(name, most));
    const widths = shown.map((name) => 14 + this.width(name) + 14);
    const total = widths.reduce((sum, width) => sum + width, 0);
    let x = box.x + Math.max(0, (box.width - total) / 2);
    const y = box.y + box.height - LEGEND_HEIGHT / 2;
    return shown.flatMap((name, at): Mark[] => {
      const left = x;
      x += widths[at] ?? 0;
      return [
        square([left, y - 5], 10, colors[at] ?? style.color),
        this.text(name, [left + 14, y + style.size * 0.35], { align: 'left' }),
      ];
    });
  }
}

function square([x, y]: Point, size: number, fill: Color): Mark {
  return { kind: 'rectangle', box: { x, y, width: size, height: size }, fill, radius: 1 };
}

/** Pie and doughnut: the first series, clockwise from the top. */
function drawRound({ chart, colors, style, on }: ChartElement, box: Box, pen: ChartPen): Mark[] {
  const values = (chart.series[0]?.values ?? []).map((value) => Math.max(0, value ?? 0));
  const total = values.reduce((sum, value) => sum + value, 0);
  if (!(total > 0) || !Number.isFinite(total)) return [];
  const radius = Math.min(box.width, box.height) / 2 - style.size * 1.6;
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  const hole = chart.type === 'doughnut' ? radius * 0.55 : 0;
  const at = (share: number, far: number): Point => {
    const angle = share * 2 * Math.PI - Math.PI / 2;
    return [cx + Math.cos(angle) * far, cy + Math.sin(angle) * far];
  };
  let from = 0;
  const slices = values.map((value, index) => {
    const to = from + value / total;
    const steps = Math.max(1, Math.ceil((to - from) * SLICE_STEPS));
    const arc = Array.from({ length: steps + 1 }, (_, step) => from + ((to - from) * step) / steps);
    const slice = { from, to, arc, color: colors[index] ?? style.color };
    from = to;
    return slice;
  });
  return slices.flatMap(({ from: begin, to, arc, color }): Mark[] => {
    if (to - begin <= 0) return [];
    const inner: Point[] =
      hole === 0 ? [[cx, cy]] : arc.toReversed().map((share) => at(share, hole));
    const points = [...arc.map((share) => at(share, radius)), ...inner];
    const [x, y] = at((begin + to) / 2, radius + style.size);
    const label = `${Math.round((to - begin) * 100)}%`;
    const edge: Mark = {
      kind: 'line',
      points: [...points, points[0] ?? [cx, cy]],
      color: on,
      width: 1.5,
    };
    const isTooNarrow = to - begin < 0.02;
    return [
      { kind: 'polygon', points, fill: color },
      edge,
      ...(isTooNarrow ? [] : [pen.text(label, [x, y + style.size * 0.35])]),
    ];
  });
}

/** Everything with two axes. */
function drawAxes(element: ChartElement, box: Box, pen: ChartPen): Mark[] {
  const { chart, style, gridColor } = element;
  const numbers = chart.series.flatMap(({ values }) => values.filter((one) => one !== null));
  const fromZero = chart.type === 'column' || chart.type === 'bar' || chart.type === 'area';
  const scale = niceScale(numbers, fromZero);
  const isBar = chart.type === 'bar';
  const xs = chart.type === 'scatter' ? niceScale(chart.categories.map(Number), false) : null;
  const valueTitle = chart.yTitle === '' ? chart.unit : chart.yTitle;
  const valueLabels = scale.ticks.map((tick) => scaleLabel(tick, scale));
  const labelRoom = isBar
    ? Math.min(box.width * 0.3, Math.max(...chart.categories.map((name) => pen.width(name))))
    : Math.max(...valueLabels.map((label) => pen.width(label)));
  const [sideTitle, lowTitle] = isBar ? [chart.xTitle, valueTitle] : [valueTitle, chart.xTitle];
  const left = box.x + labelRoom + TICK_GAP + (sideTitle === '' ? 4 : style.size * 1.7);
  const bottom = box.y + box.height - style.size * (lowTitle === '' ? 1.8 : 3.4);
  const plot = {
    x: left,
    y: box.y + 8,
    width: box.x + box.width - left - 12,
    height: bottom - box.y - 8,
  };
  const along = (value: number, size: number): number =>
    ((value - scale.from) / (scale.to - scale.from)) * size;
  const valueAt = (value: number): number =>
    isBar ? plot.x + along(value, plot.width) : bottom - along(value, plot.height);
  const grid = scale.ticks.flatMap((tick, at): Mark[] => {
    const place = valueAt(tick);
    const label = valueLabels[at] ?? '';
    const points: Point[] = isBar
      ? [
          [place, plot.y],
          [place, bottom],
        ]
      : [
          [plot.x, place],
          [plot.x + plot.width, place],
        ];
    return [
      { kind: 'line', points, color: gridColor, width: tick === 0 ? 1.2 : 0.6 },
      isBar
        ? pen.text(label, [place, bottom + style.size * 1.3])
        : pen.text(label, [plot.x - TICK_GAP, place + style.size * 0.35], { align: 'right' }),
    ];
  });
  const titles = [
    ...(sideTitle === ''
      ? []
      : [
          pen.text(
            pen.short(sideTitle, plot.height),
            [box.x + style.size, plot.y + plot.height / 2],
            { turned: -90 },
          ),
        ]),
    ...(lowTitle === ''
      ? []
      : [
          pen.text(pen.short(lowTitle, plot.width), [
            plot.x + plot.width / 2,
            box.y + box.height - style.size * 0.4,
          ]),
        ]),
  ];
  const frame: Frame = { plot, valueAt, scale, xs };
  return [
    ...grid,
    ...categoryLabels(element, frame, pen),
    ...drawSeries(element, frame),
    ...titles,
  ];
}

interface Frame {
  readonly plot: Box;
  readonly valueAt: (value: number) => number;
  readonly scale: Scale;
  /** Of a scatter chart. */
  readonly xs: Scale | null;
}

function categoryLabels(
  { chart, style }: ChartElement,
  { plot, xs }: Frame,
  pen: ChartPen,
): Mark[] {
  const bottom = plot.y + plot.height;
  if (xs !== null) {
    return xs.ticks.map((tick) => {
      const x = plot.x + ((tick - xs.from) / (xs.to - xs.from)) * plot.width;
      return pen.text(scaleLabel(tick, xs), [x, bottom + style.size * 1.3]);
    });
  }
  const count = chart.categories.length;
  const size = chart.type === 'bar' ? plot.height / count : plot.width / count;
  // Where they would touch, only every second, third… name is written.
  const most =
    chart.type === 'bar'
      ? style.size * 1.2
      : Math.min(90, Math.max(28, ...chart.categories.map((name) => pen.width(name) + 6)));
  const every = Math.max(1, Math.ceil(most / size));
  return chart.categories.flatMap((name, at): Mark[] => {
    if (at % every !== 0) return [];
    const middle = (at + 0.5) * size;
    if (chart.type === 'bar') {
      const y = plot.y + middle + style.size * 0.35;
      const room = plot.x - TICK_GAP - (plot.x - plot.width) > 0 ? plot.x : plot.width;
      return [
        pen.text(pen.short(name, Math.min(room, 260)), [plot.x - TICK_GAP, y], { align: 'right' }),
      ];
    }
    return [
      pen.text(pen.short(name, size * every - 4), [plot.x + middle, bottom + style.size * 1.3]),
    ];
  });
}

function drawSeries({ chart, colors }: ChartElement, { plot, valueAt, scale, xs }: Frame): Mark[] {
  const { type, categories, series } = chart;
  const zero = valueAt(Math.min(Math.max(0, scale.from), scale.to));
  const size = (type === 'bar' ? plot.height : plot.width) / categories.length;
  const thick = (size * 0.68) / series.length;
  return series.flatMap(({ values }, index): Mark[] => {
    const fill = colors[index] ?? '888888';
    const x = (at: number): number => {
      if (xs === null) return plot.x + (at + 0.5) * size;
      return plot.x + ((Number(categories[at]) - xs.from) / (xs.to - xs.from)) * plot.width;
    };
    if (type === 'column' || type === 'bar') {
      return values.flatMap((value, at): Mark[] => {
        if (value === null) return [];
        const place = valueAt(value);
        const from = (at + 0.16) * size + index * thick;
        const [low, tall] = [Math.min(place, zero), Math.abs(place - zero)];
        const box =
          type === 'bar'
            ? { x: low, y: plot.y + from, width: tall, height: thick * 0.94 }
            : { x: plot.x + from, y: low, width: thick * 0.94, height: tall };
        return [{ kind: 'rectangle', box, fill, radius: 0 }];
      });
    }
    const points = values.map((value, at): Point | null =>
      value === null || !Number.isFinite(x(at)) ? null : [x(at), valueAt(value)],
    );
    if (type === 'scatter') return dots(points, fill);
    return pieces(points).flatMap((piece): Mark[] => {
      const first = piece[0]?.[0] ?? 0;
      const last = piece.at(-1)?.[0] ?? 0;
      const line: Mark = { kind: 'line', points: piece, color: fill, width: 2.25 };
      if (type === 'line') return piece.length === 1 ? dots(piece, fill) : [line];
      const area: Point[] = [[first, zero], ...piece, [last, zero]];
      return [{ kind: 'polygon', points: area, fill, opacity: 0.55 }, line];
    });
  });
}

function dots(points: readonly (Point | null)[], fill: Color): Mark[] {
  return points.flatMap((point): Mark[] => {
    if (point === null) return [];
    const box = { x: point[0] - DOT / 2, y: point[1] - DOT / 2, width: DOT, height: DOT };
    return [{ kind: 'ellipse', box, fill }];
  });
}

/** A line is broken where a value is missing. */
function pieces(points: readonly (Point | null)[]): Point[][] {
  const all: Point[][] = [[]];
  for (const point of points) {
    if (point === null) all.push([]);
    else all.at(-1)?.push(point);
  }
  return all.filter((piece) => piece.length > 0);
}
