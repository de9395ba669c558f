import { safeStorage } from 'electron';
import type { SecretSeal } from '../storage/secret-store.ts';

/**
 * The keychain of the operating system, or null if there is none. On Linux without a keyring, Electron
 * would "encrypt" with a publicly known key; that is refused, and the secret store informs the user.
 * Must run after the app is ready.
 */
export function keychainSeal(): SecretSeal | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  const name = keychainName();
  if (name === null) return null;
  return {
    name,
    seal: (text) => safeStorage.encryptString(text),
    open: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
  };
}

function keychainName(): string | null {
  if (process.platform === 'darwin') return 'the macOS keychain';
  if (process.platform === 'win32') return 'Windows data protection';
  const backend = safeStorage.getSelectedStorageBackend();
  switch (backend) {
    case 'gnome_libsecret':
      return 'the GNOME keyring';
    case 'kwallet':
    case 'kwallet5':
    case 'kwallet6':
      return 'KWallet';
    case 'basic_text':
    case 'unknown':
      return null;
  }
}
