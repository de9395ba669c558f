import { Globe, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { networkStrings } from '../../strings/network.ts';

/** One click takes everything offline, another one restores the previous policy. */
export function NetworkSwitch(): ReactNode {
  const { network } = useSession();
  const egress = useApp((state) => state.settings?.egress ?? null);
  if (egress === null) return null;
  const isOffline = egress === 'offline';
  return (
    <IconButton
      label={isOffline ? networkStrings.offline : networkStrings.online}
      aria-pressed={isOffline}
      className="network-switch"
      onClick={() => void network.toggle()}
    >
      {isOffline ? (
        <>
          <WifiOff aria-hidden="true" size={16} />
          <span className="network-switch-text">{networkStrings.offlineLabel}</span>
        </>
      ) : (
        <Globe aria-hidden="true" size={16} />
      )}
    </IconButton>
  );
}
