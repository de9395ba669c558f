import type { englishUnits as english } from '../../format.ts';

export const unitStrings: typeof english = {
  milliseconds: (count) => `${count} 毫秒`,
  seconds: (count) => `${count} 秒`,
  minutes: (minutes, seconds) => `${minutes} 分 ${seconds} 秒`,
  hours: (hours, minutes) => `${hours} 小时 ${minutes} 分`,
};
