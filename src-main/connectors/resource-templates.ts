import { UriTemplate } from '@modelcontextprotocol/client';
import type { OfferedResource } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { OFFER_NAME_CHARS, OFFER_URI_CHARS } from '#contract/limits.ts';
import { makeVisible } from '#contract/visible-text.ts';

const MOST_VARIABLES = 30;
/** An expression of a URI template: its operator, and its variables. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
const VARIABLE = /^[A-Za-z_][\w.-]{0,99}$/;

/**
 * The variables of a URI template (RFC 6570), each once. Null where it has none, too many, or an expression that the
 * app does not understand.
 */
export function variablesOf(template: string): OfferedResource['variables'] | null {
  const found = new Map<string, boolean>();
  for (const [, operator = '', list = ''] of template.matchAll(EXPRESSION)) {
    // Without parts of a query an address is still one.
    const isRequired = operator !== '?' && operator !== '&';
    for (const written of list.split(',')) {
      const name = written.trim().replace(/\*$/, '');
      if (operator === ';' || !VARIABLE.test(name)) return null;
      found.set(name, isRequired || found.get(name) === true);
    }
  }
  if (found.size === 0 || found.size > MOST_VARIABLES) return null;
  return /[{}]/.test(template.replace(EXPRESSION, ''))
    ? null
    : [...found].map(([name, isRequired]) => ({ name, isRequired }));
}

/**
 * The resource of a template, with its address, and the values in its name. Throws `BAD_REQUEST` where a value is
 * missing or the address is too long.
 */
export function filledIn(
  { uri: template, variables, ...resource }: OfferedResource,
  given: Readonly<Record<string, string>>,
): OfferedResource {
  // Without a prototype: a server may call a variable `constructor`.
  const values: Record<string, string> = Object.create(null);
  for (const { name: variable, isRequired } of variables) {
    const value = Object.hasOwn(given, variable) ? given[variable] : undefined;
    if (value !== undefined && value !== '') values[variable] = value;
    else if (isRequired) {
      throw new AppError('BAD_REQUEST', `Fill in "${makeVisible(variable)}" first.`);
    }
  }
  const address = new UriTemplate(template).expand(values);
  if (address.length > OFFER_URI_CHARS) {
    throw new AppError('BAD_REQUEST', 'The values are too long for an address. Shorten them.');
  }
  const shown = [resource.name, ...Object.values(values)].join(' ').slice(0, OFFER_NAME_CHARS);
  return { ...resource, uri: address, name: shown, variables: [] };
}
