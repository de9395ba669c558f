const SAMPLE = '(?!\\.(?:example|sample|template|defaults)$)';
const NAMES = [
  `\\.env${SAMPLE}(?:\\..*)?`,
  ...['\\.npmrc', '\\.pypirc', '\\.netrc', '\\.htpasswd', '\\.git-credentials'],
  'id_(?:rsa|dsa|ecdsa|ed25519)',
  '.+\\.(?:pem|key|p12|pfx|jks|keystore|env)',
];
const KEYS = new RegExp(`^(?:${NAMES.join('|')})$`, 'i');

/** Whether files of this name hold keys or passwords as a rule; `.env.example` and its like have none. */
export function hasKeys(name: string): boolean {
  return KEYS.test(name);
}
