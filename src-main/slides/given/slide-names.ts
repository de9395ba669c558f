import { ChartType, SlideLayout } from '#contract/slides.ts';

/** Other names of layouts that models write, without a doubt about what is meant. */
const LAYOUTS: Readonly<Record<SlideLayout, string>> = {
  title: 'cover opening front front_page 封面 标题 標題',
  agenda: 'toc table_of_contents contents outline 目录 目錄 议程 議程',
  section:
    'section_header section_title section_heading section_break divider chapter transition 章节 章節',
  bullets:
    'bullet bullet_points bullet_list bulleted_list content contents_list list points key_points text title_and_content title_content standard takeaways key_takeaways summary 要点 要點 内容 內容',
  two_columns:
    'two_column 2_columns 2_column two_col two_cols two_content columns double_column split 两栏 兩欄 双栏',
  comparison: 'compare versus vs pros_cons pros_and_cons before_after before_and_after 对比 對比',
  quote: 'quotation testimonial 引用 引言',
  big_number:
    'number numbers big_numbers stat stats statistic statistics kpi kpis metric metrics key_figures key_numbers key_metrics big_stat 数字 數字',
  timeline: 'time_line roadmap milestones history 时间线 时间轴 時間線 時間軸',
  process: 'steps flow workflow process_flow how_it_works 流程 步骤 步驟',
  table: 'data_table 表格',
  chart: 'graph plot data_chart 图表 圖表',
  image_text:
    'image picture photo image_and_text text_and_image image_with_text text_image picture_text image_left image_right image_caption 图片 图文 圖片 圖文',
  team: 'people our_team team_members members 团队 團隊',
  closing:
    'end ending thank_you thanks thankyou q_and_a qa contact call_to_action cta 结尾 谢谢 謝謝 结束',
};
const CHARTS: Readonly<Record<ChartType, string>> = {
  column: 'columns vertical_bar bar_vertical vertical_bars',
  bar: 'bars horizontal_bar bar_horizontal horizontal_bars',
  line: 'lines',
  area: '',
  pie: '',
  doughnut: 'donut ring',
  scatter: 'xy points scatter_plot',
};

const LAYOUT_OF = namesOf(SlideLayout.options, LAYOUTS);
const CHART_OF = namesOf(ChartType.options, CHARTS);

function namesOf<Name extends string>(
  names: readonly Name[],
  others: Readonly<Record<Name, string>>,
): ReadonlyMap<string, Name> {
  return new Map(
    names.flatMap((name) =>
      [name, ...others[name].split(' ').filter(Boolean)].map((one) => [one, name] as const),
    ),
  );
}

/** `twoColumns`, `Two columns` and `two-columns` are `two_columns`. */
export function plainName(given: string): string {
  return given
    .slice(0, 100)
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s/_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** The layout that is certainly meant, and the type of chart where the name has it; null where none is. */
export function layoutCalled(given: string): { layout: SlideLayout; chart?: ChartType } | null {
  const name = plainName(given).replace(/_(?:slide|layout|page)$/, '');
  const layout = LAYOUT_OF.get(name);
  if (layout !== undefined) return { layout };
  const chart = /_?(?:chart|graph|plot)$/.test(name) ? chartCalled(name) : null;
  return chart === null ? null : { layout: 'chart', chart };
}

export function chartCalled(given: string): ChartType | null {
  const name = plainName(given);
  return CHART_OF.get(name) ?? CHART_OF.get(name.replace(/_?(?:chart|graph|plot)$/, '')) ?? null;
}

/** For names of columns: without case, spaces and the like. */
export function looseName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}
