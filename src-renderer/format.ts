import { inLanguage, shownLanguage } from './language.ts';

/** Times that passed, in English. */
export const englishUnits = {
  milliseconds: (count: number): string => `${count} ms`,
  seconds: (count: string): string => `${count} s`,
  minutes: (minutes: number, seconds: number): string => `${minutes} min ${seconds} s`,
  hours: (hours: number, minutes: number): string => `${hours} h ${minutes} min`,
};

// Asked for at each use: the words of a language import this module, so it loads before they are known.
const units = (): typeof englishUnits => inLanguage('unitStrings', englishUnits);

export function formatCount(count: number): string {
  return count.toLocaleString(shownLanguage());
}

/** A calculated number: all its digits, and no separator in four digits, which may be a year. */
export function formatNumber(value: number): string {
  return value.toLocaleString(shownLanguage(), { maximumFractionDigits: 20, useGrouping: 'min2' });
}

/** Decimal units, as file managers show them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** `340 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return units().milliseconds(Math.round(ms));
  const seconds = ms / 1000;
  if (seconds < 10) return units().seconds(seconds.toFixed(1));
  return formatSeconds(seconds);
}

/** Whole seconds, for something that counts. */
export function formatElapsed(ms: number): string {
  return formatSeconds(Math.max(0, ms) / 1000);
}

function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return units().seconds(String(whole));
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return units().minutes(minutes, whole % 60);
  return units().hours(Math.floor(minutes / 60), minutes % 60);
}

/** `1:59`, `1:02:03`: the time that is left. */
export function formatCountdown(ms: number): string {
  const whole = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes, seconds] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return hours === 0 ? `${minutes}:${pad(seconds)}` : `${hours}:${pad(minutes)}:${pad(seconds)}`;
}

/** `8k`, `128k`, `1M`: sizes of windows. */
export function formatTokens(tokens: number): string {
  if (tokens >= 1_000_000) return `${trim(tokens / 1_000_000)}M`;
  if (tokens < 1000) return String(tokens);
  // Context windows are mostly powers of two, and round thousands at some cloud services.
  return `${Math.round(tokens / (tokens % 1000 === 0 ? 1000 : 1024))}k`;
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

/** `14:05` today, else `Nov 16, 14:05`. */
export function formatMoment(at: number, now: number): string {
  const time = new Date(at).toLocaleTimeString(shownLanguage(), CLOCK);
  const shown = formatTime(at, now);
  return shown === time ? time : `${shown}, ${time}`;
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hour12: false } as const;

/** `14:05` today, else the date. */
export function formatTime(at: number, now: number): string {
  const date = new Date(at);
  const isToday = new Date(now).toDateString() === date.toDateString();
  return isToday
    ? date.toLocaleTimeString(shownLanguage(), CLOCK)
    : date.toLocaleDateString(shownLanguage(), { day: 'numeric', month: 'short' });
}

/** `a, b, c`: names and values side by side, without an "and" that could be one of them. */
export function listOf(items: Iterable<string>): string {
  return new Intl.ListFormat(shownLanguage(), { type: 'conjunction', style: 'narrow' }).format(
    items,
  );
}
