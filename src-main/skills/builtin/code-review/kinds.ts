/** The worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const CATEGORIES = ['bug', 'style', 'security'] as const;
export type Category = (typeof CATEGORIES)[number];
