import { formatCount } from '../../format.ts';
import type { libraryStrings as english } from '../library.ts';

const files = (count: number): string => `${formatCount(count)} 个文件`;

export const libraryStrings: typeof english = {
  hint: '研究可以离线搜索的文件夹：文本、Markdown、PDF、Word、Excel、CSV、HTML 和代码。扫描的 PDF 通过 OCR 识别，支持英文和简体中文。索引在这台计算机上建立，不会向任何地方发送内容。',
  none: '尚未添加文件夹。',
  folder: '文件夹',
  placeholder: '/home/me/notes',
  add: '添加文件夹',
  remove: (path) => `从资料库中移除 ${path}`,
  refresh: (path) => `检查 ${path} 的更改`,
  refreshAll: '检查全部更改',
  states: {
    waiting: '等待中',
    looking: '正在检查更改',
    indexing: '正在索引',
    ready: '已是最新',
    unreadable: '无法读取',
  },
  counts: ({ files: found, indexed }) => `已索引 ${formatCount(indexed)} / ${files(found)}`,
  reading: ({ file, page, pages }) =>
    `正在读取 ${file} 的第 ${formatCount(page)} 页，共 ${formatCount(pages)} 页。`,
  problems: (count) => `${files(count)}有问题`,
  more: (count) => `另有 ${formatCount(count)} 个`,
  leftOut: (count) => `${files(count)}超过文件夹上限，已跳过。`,
  embeddings: '语义搜索模型',
  embeddingsHint:
    '嵌入模型，例如 Ollama 的 nomic-embed-text。每个段落和每次搜索都会发送给它。如果服务器在其他计算机上，这些数据会离开这台计算机。',
  words: '无：仅关键词搜索',
  embedded: (done, all) => `已嵌入 ${formatCount(done)} / ${formatCount(all)} 个段落。`,
  tryTitle: '试搜一下',
  query: '搜索资料库',
  search: '搜索',
  nothing: '没有结果。',
};
