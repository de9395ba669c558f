/** What a unit measures, and how many of the base unit it is; temperatures have an offset. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
  readonly offset?: number;
}

const PREFIXES: readonly (readonly [
  long: string,
  short: string,
  chinese: string,
  factor: number,
])[] = [
  ['', '', '', 1],
  ['kilo', 'k', '千', 1e3],
  ['mega', 'M', '兆', 1e6],
  ['giga', 'G', '吉', 1e9],
  ['tera', 'T', '太', 1e12],
  ['centi', 'c', '厘', 1e-2],
  ['milli', 'm', '毫', 1e-3],
  ['micro', 'µ', '微', 1e-6],
  ['nano', 'n', '纳', 1e-9],
];

/** Units that take prefixes: dimension, long names, short name, Chinese name, size in the base unit. */
const PREFIXED: readonly (readonly [string, readonly string[], string, string, number])[] = [
  ['length', ['metre', 'meter'], 'm', '米', 1],
  ['mass', ['gram', 'gramme'], 'g', '克', 1],
  ['volume', ['litre', 'liter'], 'L', '升', 1e-3],
  ['power', ['watt'], 'W', '瓦', 1],
  ['energy', ['joule'], 'J', '焦', 1],
  ['energy', ['watt-hour', 'watt hour', 'watthour'], 'Wh', '瓦时', 3_600],
  ['frequency', ['hertz'], 'Hz', '赫', 1],
  ['voltage', ['volt'], 'V', '伏', 1],
  ['current', ['ampere', 'amp'], 'A', '安', 1],
  ['pressure', ['pascal'], 'Pa', '帕', 1],
  ['data', ['byte'], 'B', '字节', 1],
  ['bits', ['bit'], 'bit', '比特', 1],
];

/** Others, each with all of its names; names in lower case match any case. */
const OTHERS: readonly (readonly [string, number, string])[] = [
  ['length', 1_000, 'kms,公里'],
  ['length', 1_609.344, 'mile,mi,英里'],
  ['length', 1_852, 'nautical mile,海里'],
  ['length', 0.3048, 'foot,feet,ft,英尺'],
  ['length', 0.0254, 'inch,inches,英寸'],
  ['length', 0.9144, 'yard,码'],
  ['length', 500, '里'],
  ['length', 9.4607e15, 'light-year,light year,光年'],
  ['area', 1e4, 'hectare,ha,公顷'],
  ['area', 4_046.86, 'acre,英亩'],
  ['area', 666.67, '亩'],
  ['volume', 3.785e-3, 'gallon,加仑'],
  ['volume', 0.15899, 'barrel,桶'],
  ['mass', 1e6, 'tonne,metric ton,ton,t,吨'],
  ['mass', 1e3, 'kilo,公斤'],
  ['mass', 500, '斤'],
  ['mass', 453.592, 'lb,lbs'],
  ['pound', 1, 'pound'],
  ['mass', 28.3495, 'ounce,oz,盎司'],
  ['time', 1, 'second,sec,secs,s,秒,秒钟'],
  ['time', 1e-3, 'millisecond,ms,毫秒'],
  ['time', 1e-6, 'microsecond,微秒'],
  ['time', 1e-9, 'nanosecond,纳秒'],
  ['time', 60, 'minute,min,mins,分钟'],
  ['time', 3_600, 'hour,hr,hrs,h,小时'],
  ['time', 86_400, 'day,天'],
  ['time', 604_800, 'week,周,星期'],
  ['time', 2_629_800, 'month,个月'],
  ['time', 31_557_600, 'year,yr,yrs'],
  ['time', 315_576_000, 'decade'],
  ['time', 3_155_760_000, 'century,centuries,世纪'],
  ['speed', 1 / 3.6, 'km/h,kph,kmh,公里/小时'],
  ['speed', 0.44704, 'mph'],
  ['speed', 1, 'm/s,米/秒'],
  ['speed', 0.514444, 'knot,节'],
  ['power', 745.7, 'horsepower,hp,马力'],
  ['energy', 4.184, 'calorie'],
  ['energy', 4_184, 'kilocalorie,kcal,千卡'],
  ['pressure', 1e5, 'bar'],
  ['pressure', 6_894.76, 'psi'],
  ['share', 0.01, '%,percent,pct,％'],
  ['points', 1, 'percentage point,百分点,个百分点'],
  ['times', 1, 'times,fold,倍'],
  ['money usd', 1, '$,usd,us$,dollar,美元'],
  ['money eur', 1, '€,eur,euro,欧元'],
  ['money gbp', 1, '£,gbp,英镑'],
  ['money cny', 1, 'rmb,cny,yuan,renminbi,元,人民币,块'],
  ['money jpy', 1, 'jpy,yen,日元'],
  ['money inr', 1, '₹,inr,rupee,卢比'],
  ['money crown', 1, 'krone,kroner,krona,kronor,nok,sek,dkk'],
  ['money franc', 1, 'franc,chf'],
  ['angle', 1, 'degree,°,度'],
];

const TEMPERATURES: readonly (readonly [number, number, string])[] = [
  [1, 273.15, '°c,℃,degree celsius,degree centigrade,celsius,摄氏度'],
  [5 / 9, 255.372, '°f,℉,degree fahrenheit,fahrenheit,华氏度'],
  [1, 0, 'kelvin'],
];

/** Every name: as written for short names of the metric system, else in lower case. */
const UNITS: ReadonlyMap<string, Unit> = new Map(entries());

/** The unit of this name; `square` and `cubic` ones are made from lengths. Null if it names none. */
export function unitNamed(name: string): Unit | null {
  const lower = name.toLowerCase();
  const known = UNITS.get(name) ?? UNITS.get(lower) ?? singular(lower);
  if (known !== undefined) return known;
  const power = /^(?:(square|sq|平方|cubic|cu|立方)[ .-]*)(.{1,14})$/.exec(lower);
  if (power?.[2] !== undefined) return raised(power[2], /^(?:sq|平)/.test(lower) ? 2 : 3);
  const written = /^(.{1,10}?)\^?([23²³])$/.exec(name);
  if (written?.[1] !== undefined) return raised(written[1], /[2²]/.test(written[2] ?? '') ? 2 : 3);
  return null;
}

function singular(lower: string): Unit | undefined {
  return lower.length > 3 && lower.endsWith('s') ? UNITS.get(lower.slice(0, -1)) : undefined;
}

function raised(name: string, power: 2 | 3): Unit | null {
  const base = UNITS.get(name) ?? UNITS.get(name.toLowerCase()) ?? singular(name.toLowerCase());
  if (base?.dimension !== 'length') return null;
  return { dimension: power === 2 ? 'area' : 'volume', factor: base.factor ** power };
}

function entries(): [string, Unit][] {
  const all: [string, Unit][] = [];
  for (const [dimension, long, short, chinese, size] of PREFIXED) {
    for (const [prefix, letter, han, factor] of PREFIXES) {
      const unit = { dimension, factor: size * factor };
      for (const name of long) all.push([`${prefix}${name}`, unit]);
      all.push([`${letter}${short}`, unit], [`${han}${chinese}`, unit]);
      if (letter === 'k') all.push([`K${short}`, unit]);
      if (letter === 'µ') all.push([`μ${short}`, unit]);
    }
  }
  for (const [dimension, factor, names] of OTHERS) {
    for (const name of names.split(',')) all.push([name, { dimension, factor }]);
  }
  for (const [factor, offset, names] of TEMPERATURES) {
    for (const name of names.split(',')) {
      all.push([name, { dimension: 'temperature', factor, offset }]);
    }
  }
  return all;
}
