import { Check, X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { SkillDetail, SkillParameter } from '#contract/skills.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { listOf } from '../../format.ts';
import { schemaProperties } from '../../store/skill-result.ts';
import { skillStrings } from '../../strings/skills.ts';

const words = skillStrings.detail;

/** The parameters, output and permissions of a skill. */
export function SkillInterface({ skill }: { readonly skill: SkillDetail }): ReactNode {
  const { metadata, markdown, granted, summary } = skill;
  if (metadata === null) {
    return markdown?.allowedTools == null ? null : (
      <section className="skill-section">
        <h2>{words.allowedTools}</h2>
        <Names names={markdown.allowedTools} />
      </section>
    );
  }
  const { parameters, outputSchema, requiredTools } = metadata;
  return (
    <>
      <section className="skill-section">
        <h2>{words.parameters}</h2>
        {parameters.length === 0 ? (
          <p className="muted">{words.noParameters}</p>
        ) : (
          <dl className="skill-properties">
            {parameters.map((parameter) => (
              <Property
                key={parameter.name}
                name={parameter.name}
                facts={parameterFacts(parameter)}
                description={parameter.description}
              />
            ))}
          </dl>
        )}
      </section>
      <Output schema={outputSchema} />
      <section className="skill-section">
        <h2>{words.may}</h2>
        {metadata.capabilities.length === 0 && <p className="muted">{words.mayNothing}</p>}
        <ul className="skill-capabilities">
          {metadata.capabilities.map((capability) => {
            const has = summary.source !== 'dynamic' || granted.includes(capability);
            return (
              <li key={capability} data-granted={has}>
                {has ? <Check aria-hidden="true" size={14} /> : <X aria-hidden="true" size={14} />}
                <span>
                  {skillStrings.capabilities[capability]}
                  {summary.source === 'dynamic' && (
                    <span className="muted">, {has ? words.granted : words.notGranted}</span>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
        {requiredTools.length > 0 && (
          <>
            <h3 className="section-label">{words.tools}</h3>
            <Names names={requiredTools} />
          </>
        )}
      </section>
    </>
  );
}

function parameterFacts({ type, required, default: given, options }: SkillParameter): string {
  return [
    type,
    required ? words.required : words.optional,
    ...(given === undefined ? [] : [words.byDefault(JSON.stringify(given))]),
    ...(options === undefined ? [] : [words.oneOf(listOf(options))]),
  ].join(' · ');
}

/** The output schema, field by field, in words. */
function Output({ schema }: { readonly schema: Readonly<Record<string, unknown>> }): ReactNode {
  const properties = useMemo(() => schemaProperties(schema), [schema]);
  return (
    <section className="skill-section">
      <h2>{words.output}</h2>
      {properties.length === 0 ? (
        <p className="muted">{words.noOutput}</p>
      ) : (
        <dl className="skill-properties">
          {properties.map(({ name, type, description, required }) => (
            <Property
              key={name}
              name={name}
              facts={required ? `${type} · ${words.always}` : type}
              description={description}
            />
          ))}
        </dl>
      )}
    </section>
  );
}

function Property({
  name,
  facts,
  description,
}: {
  readonly name: string;
  readonly facts: string;
  readonly description: string;
}): ReactNode {
  return (
    <div>
      <dt>
        <code>
          <VisibleText text={name} />
        </code>{' '}
        <span className="muted">
          <VisibleText text={facts} />
        </span>
      </dt>
      {description !== '' && (
        <dd>
          <VisibleText text={description} />
        </dd>
      )}
    </div>
  );
}

/** Names of tools, side by side. */
export function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <ul className="skill-names">
      {names.map((name) => (
        <li key={name}>
          <code className="tag">
            <VisibleText text={name} />
          </code>
        </li>
      ))}
    </ul>
  );
}
