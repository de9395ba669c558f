import type { Page } from 'playwright-core';
import { checkbox, choose, fillIn, isChecked, press, standInOrder } from '../controls.ts';
import { counts, lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function packThings(page: Page, things: readonly string[]): Promise<void> {
  for (const thing of things) {
    await fillIn(page, { Gegenstand: thing });
    await press(page, 'Hinzufügen');
    await counts(checkbox(page, thing), 1);
  }
}

export const brief: AppBrief = {
  name: 'packliste',
  prompt: [
    'Ich brauche eine Packliste für den Urlaub, die am Anfang leer ist: ein Textfeld',
    '"Gegenstand", eine Auswahlliste "Kategorie" mit "Kleidung", "Technik" und "Sonstiges"',
    '(anfangs ist "Sonstiges" gewählt) und ein Knopf "Hinzufügen". Jeder Gegenstand steht in der',
    'Liste mit einer Checkbox, deren Beschriftung nur sein Name ist; angehakt heißt eingepackt,',
    'und darüber steht zum Beispiel "1 von 3 eingepackt". Die Liste ist immer alphabetisch von',
    'oben nach unten sortiert, Umlaute wie im Wörterbuch, also Ä wie A. Mit einer zweiten',
    'Auswahlliste "Anzeigen" ("Alle" oder eine der drei Kategorien) sehe ich nur die Gegenstände',
    'dieser Kategorie, gezählt werden aber weiterhin alle. Der Knopf "Eingepacktes entfernen"',
    'löscht ohne Rückfrage alles Angehakte; ist nichts angehakt, erscheint stattdessen "Noch',
    'nichts eingepackt". Nach dem Neuladen der Seite ist alles noch da, auch die Häkchen.',
  ].join(' '),
  points: [
    {
      says: 'Die Liste ist alphabetisch sortiert, Umlaute wie im Wörterbuch.',
      holds: async (page) => {
        await packThings(page, ['Zelt', 'Badehose', 'Äpfel', 'Adapter']);
        await standInOrder(
          ['Adapter', 'Äpfel', 'Badehose', 'Zelt'].map((name) => checkbox(page, name)),
        );
      },
    },
    {
      says: 'Eingepacktes wird gezählt und lässt sich entfernen.',
      holds: async (page) => {
        await packThings(page, ['Zelt', 'Buch', 'Seife']);
        await checkbox(page, 'Buch').click();
        await shows(page, '1 von 3 eingepackt');
        await press(page, 'Eingepacktes entfernen');
        await shows(page, '0 von 2 eingepackt');
        await counts(checkbox(page, 'Buch'), 0);
        await counts(checkbox(page, 'Zelt'), 1);
      },
    },
    {
      says: 'Ist nichts angehakt, wird nichts entfernt und eine Meldung erscheint.',
      holds: async (page) => {
        await packThings(page, ['Zelt', 'Buch']);
        await lacks(page, 'Noch nichts eingepackt');
        await press(page, 'Eingepacktes entfernen');
        await shows(page, 'Noch nichts eingepackt');
        await counts(page.getByRole('checkbox'), 2);
      },
    },
    {
      says: 'Nach Kategorie gefiltert zählt die Anzeige weiterhin alle.',
      holds: async (page) => {
        await packThings(page, ['Zelt']);
        await choose(page, 'Kategorie', 'Kleidung');
        await packThings(page, ['Hemd']);
        await choose(page, 'Anzeigen', 'Kleidung');
        await counts(checkbox(page, 'Zelt'), 0);
        await counts(checkbox(page, 'Hemd'), 1);
        await shows(page, '0 von 2 eingepackt');
        await choose(page, 'Anzeigen', 'Alle');
        await counts(checkbox(page, 'Zelt'), 1);
      },
    },
    {
      says: 'Nach dem Neuladen sind Gegenstände und Häkchen noch da.',
      holds: async (page) => {
        await packThings(page, ['Zelt', 'Buch']);
        await checkbox(page, 'Zelt').click();
        await shows(page, '1 von 2 eingepackt');
        await page.reload();
        await isChecked(checkbox(page, 'Zelt'), true);
        await isChecked(checkbox(page, 'Buch'), false);
      },
    },
  ],
};
