import './library.css';
import './settings.css';
import {
  BookOpen,
  Box,
  Cpu,
  Database,
  Globe,
  Hand,
  Image,
  ListTodo,
  type LucideIcon,
  Palette,
  Plug,
  Puzzle,
  Search,
  ShieldCheck,
  TextQuote,
} from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { ManagedNote } from '../components/locked.tsx';
import { Modal } from '../components/modal.tsx';
import { useSession } from '../session-context.ts';
import type { SettingsSection } from '../store/app-state.ts';
import { settingsStrings } from '../strings/settings.ts';
import { AgentsSection } from './agents-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ApprovalsSection } from './approvals-section.tsx';
import { ConnectorsSection } from './connectors/connectors-section.tsx';
import { DataSection } from './data-section.tsx';
import { GuardrailsSection } from './guardrails-section.tsx';
import { ImagesSection } from './images-section.tsx';
import { LibrarySection } from './library-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { PromptsSection } from './prompts-section.tsx';
import { SandboxSection } from './sandbox-section.tsx';
import { SearchSection } from './search-section.tsx';
import { SkillsSection } from './skills-section.tsx';

interface SectionEntry {
  readonly id: SettingsSection;
  readonly icon: LucideIcon;
  readonly content: () => ReactNode;
}

const SECTIONS: readonly SectionEntry[] = [
  { id: 'models', icon: Cpu, content: () => <ModelsSection /> },
  { id: 'agents', icon: ListTodo, content: () => <AgentsSection /> },
  { id: 'sandbox', icon: Box, content: () => <SandboxSection /> },
  { id: 'network', icon: Globe, content: () => <NetworkSection /> },
  { id: 'search', icon: Search, content: () => <SearchSection /> },
  { id: 'images', icon: Image, content: () => <ImagesSection /> },
  { id: 'library', icon: BookOpen, content: () => <LibrarySection /> },
  { id: 'skills', icon: Puzzle, content: () => <SkillsSection /> },
  { id: 'connectors', icon: Plug, content: () => <ConnectorsSection /> },
  { id: 'prompts', icon: TextQuote, content: () => <PromptsSection /> },
  { id: 'approvals', icon: Hand, content: () => <ApprovalsSection /> },
  { id: 'guardrails', icon: ShieldCheck, content: () => <GuardrailsSection /> },
  { id: 'appearance', icon: Palette, content: () => <AppearanceSection /> },
  { id: 'data', icon: Database, content: () => <DataSection /> },
];

export function SettingsDialog({ section }: { readonly section: SettingsSection }): ReactNode {
  const { settings } = useSession();
  return (
    <Modal title={settingsStrings.title} size="large" onClose={() => settings.show(null)}>
      <Tabs.Root
        className="settings"
        orientation="vertical"
        value={section}
        onValueChange={(value) => {
          const entry = SECTIONS.find(({ id }) => id === value);
          if (entry !== undefined) settings.show(entry.id);
        }}
      >
        <Tabs.List className="settings-nav" aria-label={settingsStrings.title}>
          {SECTIONS.map(({ id, icon: Icon }) => (
            <Tabs.Trigger key={id} className="settings-tab" value={id}>
              <Icon aria-hidden="true" size={15} />
              {settingsStrings.sections[id]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {SECTIONS.map(({ id, content }) => (
          <Tabs.Content key={id} className="settings-section" value={id}>
            <h3 className="settings-title">{settingsStrings.sections[id]}</h3>
            <ManagedNote />
            {content()}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Modal>
  );
}
