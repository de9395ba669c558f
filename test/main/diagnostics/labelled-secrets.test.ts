import { expect, it } from 'vitest';
import { janesCleaner } from './support.ts';

const cleaner = janesCleaner();

it.each([
  'password: ilikecheese',
  'config:\n  password:\n    ilikecheese\n  host: a',
  'DB_PASSWORD=ilikecheese PATH=/usr/bin',
  'PGPASSWORD=ilikecheese psql',
  'Server=a;Password=ilike&cheese;Encrypt=true',
  'prog --password=ilikecheese exited',
  'mcp-server --token ilike-cheese --port 3',
  'sent x-api-key: ilikecheese to server',
  'Authorization: ilikecheese',
  'Authorization: token ilike cheese',
  'headers: { authorization: "Basic ilikecheese" }',
  'Bearer cheese',
  'Cookie: session=ilike; csrf=cheese',
  'set-cookie: sid=ilike%3Acheese; Path=/cheese',
  '//npm.corp/:_password=ilikecheese==',
  '_auth=ilikecheese',
  'aws_secret_access_key=ilike/cheese/EXAMPLE',
  'AWS: AKIAILIKECHEESEEXAMP',
  '{"password":"ilikecheese"}',
  '{"password" : "ilike\\"cheese"}',
  'body "{\\"api_key\\":\\"ilikecheese\\"}"',
  'body "{\\\\\\"api_key\\\\\\":\\\\\\"ilikecheese\\\\\\"}"',
  "{'accessToken': 'ilike cheese'}",
  'curl -u jo:ilikecheese https://h/',
  'curl --user jo:ilikecheese https://h/',
  '{"error":"bad token","access_token":"ilikecheese","expires_in":3600}',
  '{\\"error\\":\\"bad token\\",\\"access_token\\":\\"ilikecheese\\",\\"expires_in\\":3600}',
  "sshpass -p 'ilike#cheese' ssh host",
  `near "PRAGMA key = 'ilike my cheese'": file is not a database`,
  'machine github.com login jo password ilikecheese',
  'password ilikecheese2',
  'passphrase "ilike cheese" is wrong',
  "passphrase 'ilike cheese",
  'passphrase: ilike my cheese',
  'ｐａｓｓｗｏｒｄ=ilikecheese',
  'pass\u200bword=ilikecheese',
  'password%3Dilikecheese',
  'password&#61;ilikecheese',
  'client_secret => ilikecheese',
  'Password is: ilikecheese',
  'private key: ilikecheese',
  'OPENAI_KEY=ilikecheese',
  'session_id=ilikecheese',
  '<password>ilikecheese</password>',
  '["Authorization","ilikecheese"]',
  "['password', 'ilikecheese']",
  'passwords: ["ilike", "cheese"]',
  'token: { value: "ilikecheese" }',
  '"token": ["ilike", "cheese"]',
  'Incorrect API key: sk-proj-*******cheese.',
])('hides the value and keeps the name: %s', (text) => {
  const shown = cleaner.line(text);
  expect(shown).not.toMatch(/ilike|cheese/i);
  expect(shown).toContain('[redacted');
});

it('hides numbers and truth values of secrets, and shows counts', () => {
  expect(cleaner.line('password: 12345678, token=true')).toBe(
    'password: [redacted] token=[redacted]',
  );
  for (const text of [
    'tokens: 1200',
    'maxTokens: 4096',
    'promptTokens=33',
    'max_tokens must be at least 1',
    'context length exceeded: 131072 > 32768 tokens',
    'The token is missing.',
    'The password is wrong.',
    "Unexpected token '<' in JSON at position 5",
    'compass: north',
    'secrets: 3, cookies: 4',
    'bearer token expired',
    'node@24.21.0 and undici@7.0',
  ]) {
    expect(cleaner.line(text)).toBe(text);
  }
});

it.each(['anna@firma', 'anna＠firma.de', 'anna&#64;firma.de', 'anna&#x40;firma.de'])(
  'knows e-mail addresses in other spellings: %s',
  (text) => {
    expect(cleaner.line(`Mail ${text} now`)).toBe('Mail [email] now');
  },
);
