import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProbeResult, SandboxReport } from '#contract/entities.ts';
import { setupCheckStrings } from '../../strings/setup-check.ts';
import { Disclosure } from '../disclosure.tsx';
import { CheckLine } from './check-line.tsx';

/** A sandbox: whether it is available, and the results of its escape attempts. */
export function SandboxLine({ sandbox }: { readonly sandbox: SandboxReport }): ReactNode {
  const { kind, available, detail, remedy, probes } = sandbox;
  const leaks = probes.filter((probe) => !probe.held).length;
  return (
    <CheckLine
      status={leaks > 0 ? 'failed' : available ? 'ok' : 'missing'}
      label={setupCheckStrings[kind]}
      detail={detail}
      remedy={remedy}
    >
      {probes.length > 0 && (
        <Disclosure
          id={`probes ${kind}`}
          className="probes"
          initiallyOpen={leaks > 0}
          summary={
            <span>
              {leaks > 0 ? setupCheckStrings.leaks(leaks) : setupCheckStrings.proved(probes.length)}
            </span>
          }
        >
          {() => (
            <ul className="probe-list">
              {probes.map((probe) => (
                <Probe key={probe.name} probe={probe} />
              ))}
            </ul>
          )}
        </Disclosure>
      )}
      {available && probes.length === 0 && <p className="muted">{setupCheckStrings.notProved}</p>}
    </CheckLine>
  );
}

function Probe({ probe }: { readonly probe: ProbeResult }): ReactNode {
  const Icon = probe.held ? Check : X;
  return (
    <li data-held={probe.held}>
      <Icon
        role="img"
        aria-label={probe.held ? setupCheckStrings.held : setupCheckStrings.gotThrough}
        size={13}
      />
      <span>{probe.name}</span>
      <span className="muted">{probe.detail}</span>
    </li>
  );
}
