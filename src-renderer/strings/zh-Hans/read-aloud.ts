import type { readAloudStrings as english } from '../read-aloud.ts';

export const readAloudStrings: typeof english = {
  start: '朗读',
  stop: '停止朗读',
  startTip: '用这台计算机自带的语音朗读：文本不会发送到任何地方',
  failed: '无法朗读此回答。',
};
