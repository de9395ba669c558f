/** The same direction with length 1, so that a product of two is their cosine. All zeros stay zeros. */
export function unitVector(numbers: readonly number[]): Float32Array {
  let sum = 0;
  for (const value of numbers) sum += value * value;
  const length = Math.sqrt(sum) || 1;
  return Float32Array.from(numbers, (value) => value / length);
}
