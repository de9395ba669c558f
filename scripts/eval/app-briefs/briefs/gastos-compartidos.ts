import type { Page } from 'playwright-core';
import { fillIn, press } from '../controls.ts';
import { shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addExpense(page: Page, payer: string, amount: string): Promise<void> {
  await fillIn(page, { Persona: payer, Importe: amount });
  await press(page, 'Añadir gasto');
}

export const brief: AppBrief = {
  name: 'gastos-compartidos',
  prompt: [
    'Quiero una página para repartir los gastos de un viaje: dos campos de texto "Persona" e',
    '"Importe" y un botón "Añadir gasto"; al principio no hay gastos y el total es "Total: 0,00',
    '€". El importe se puede escribir con coma o con punto decimal ("12,50" o "12.50"), y las',
    'cantidades se muestran siempre con coma y dos decimales, sin separador de miles. Participan',
    'solo las personas que han añadido algún gasto, y los gastos de la misma persona se suman.',
    'Muestra "Total: 60,00 €", "A cada uno le toca: 30,00 €" y una línea por persona: "Ana',
    'recibe 20,00 €" si ha pagado de más, "Luis debe 20,00 €" si ha pagado de menos, o "Eva está',
    'en paz" si ha pagado lo justo. Si falta el nombre, muestra "Escribe un nombre", y si el',
    'importe es cero, negativo o no es un número, "El importe debe ser mayor que cero"; en esos',
    'casos no se añade nada.',
  ].join(' '),
  points: [
    {
      says: 'Los gastos se reparten entre quienes participan.',
      holds: async (page) => {
        await addExpense(page, 'Ana', '50');
        await addExpense(page, 'Luis', '10');
        await shows(page, 'Total: 60,00 €');
        await shows(page, 'A cada uno le toca: 30,00 €');
        await shows(page, 'Ana recibe 20,00 €');
        await shows(page, 'Luis debe 20,00 €');
      },
    },
    {
      says: 'La coma y el punto decimal valen lo mismo.',
      holds: async (page) => {
        await addExpense(page, 'Ana', '12,50');
        await shows(page, 'Total: 12,50 €');
        await addExpense(page, 'Luis', '7.50');
        await shows(page, 'Total: 20,00 €');
        await shows(page, 'Ana recibe 2,50 €');
      },
    },
    {
      says: 'Los gastos de la misma persona se suman, y se puede quedar en paz.',
      holds: async (page) => {
        await addExpense(page, 'Eva', '15');
        await addExpense(page, 'Luis', '20');
        await shows(page, 'Eva debe 2,50 €');
        await addExpense(page, 'Eva', '5');
        await shows(page, 'A cada uno le toca: 20,00 €');
        await shows(page, 'Eva está en paz');
        await shows(page, 'Luis está en paz');
      },
    },
    {
      says: 'Un importe que no vale o un nombre vacío no se añade.',
      holds: async (page) => {
        await addExpense(page, 'Ana', '30');
        await shows(page, 'Total: 30,00 €');
        for (const amount of ['-5', '0', 'abc']) {
          await addExpense(page, 'Luis', amount);
          await shows(page, 'El importe debe ser mayor que cero');
        }
        await addExpense(page, '', '40');
        await shows(page, 'Escribe un nombre');
        await shows(page, 'Total: 30,00 €');
        await shows(page, 'A cada uno le toca: 30,00 €');
      },
    },
  ],
};
