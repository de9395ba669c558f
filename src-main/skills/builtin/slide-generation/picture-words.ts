/** Words that ask for pictures, not those that are about some. */
const WANTED: readonly RegExp[] = [
  /\billustrated\b|\b(?:with|includ\w*|plus|add|needs?|wants?)\s+(?:(?!on|about|of|for|from|slides?)[\p{L}-]+\s+){0,3}(?:pictures|images|photos|illustrations|drawings)\b/iu,
  /\bbebildert|\bmit\s+(?:(?!über|zu|von|für)[\p{L}-]+\s+){0,2}(?:bildern|fotos|illustrationen|zeichnungen)\b/iu,
  /\bavec\s+(?:des\s+)?(?:images|photos|illustrations)\b|\bcon\s+(?:im[aá]genes|fotos|ilustraciones)\b/iu,
  /(?:配上?|带有?|加上?|附上?|要有?|需要|有)(?:一些|几张|几幅)?(?:图片|插图|配图|插画|圖片)|图文并茂|مع صور/u,
];
const UNWANTED: readonly RegExp[] = [
  /\b(?:no|without|ohne|keine|sans|sin)\s+(?:any\s+)?(?:pictures|images|photos|illustrations|drawings|bilder|fotos|illustrationen|im[aá]genes)\b/iu,
  /(?:不要|没有|无需?|不需要|不带|不加)(?:任何)?(?:图片|插图|配图|插画)|بدون صور/u,
];

/** Whether a request asks for pictures or wants none, as the parameter `pictures` says it; null where it says neither. */
export function wishForPictures(request: string): 'draw' | 'none' | null {
  if (UNWANTED.some((pattern) => pattern.test(request))) return 'none';
  return WANTED.some((pattern) => pattern.test(request)) ? 'draw' : null;
}
