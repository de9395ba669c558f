/** The one module that a skill may import. */
export const SKILL_MODULE = 'hyperagent';

/** Its only export. */
export const SKILL_EXPORT = 'defineSkill';

export const SKILL_MODULE_SOURCE = `export const ${SKILL_EXPORT} = (definition) => definition;`;

/** Replaces every other module, in case code built at run time imports one. */
export const REFUSED_MODULE_SOURCE = `throw new Error('Only the module ${SKILL_MODULE} can be imported.');`;

/**
 * The guest's side of the bridge, in the guest. It is a convenience, not a protection: whatever a skill does
 * to it, only text gets out through `send`, and the other side trusts none of it.
 */
export const PRELUDE = `(function (send) {
  'use strict';
  const { parse, stringify } = JSON;
  const waiting = new Map();
  let last = 0;
  class SkillError extends Error {
    constructor() {
      super('');
      this.name = 'SkillError';
    }
  }
  const call = (name, given) => new Promise((resolve, reject) => {
    const json = stringify(given);
    last += 1;
    // Made here, so that its stack has the calling line.
    const error = new SkillError();
    const fail = (code, message) => {
      error.code = code;
      error.message = message;
      reject(error);
    };
    const refused = send('call', last, name, json);
    if (refused === '') waiting.set(last, { resolve, fail });
    else fail('SKILL_CALL_LIMIT', refused);
  });
  const via = (name) => (...given) => call(name, given);
  const app = Object.freeze({
    llm: Object.freeze({ ask: via('llm.ask') }),
    search: via('search'),
    fetch: via('fetch'),
    sandbox: Object.freeze({
      run: via('sandbox.run'),
      readFile: via('sandbox.readFile'),
      writeFile: via('sandbox.writeFile'),
      listFiles: via('sandbox.listFiles'),
    }),
    invokeSkill: via('invokeSkill'),
    emit: via('emit'),
  });
  const report = (error) => {
    const text = (value) => (typeof value === 'string' ? value.slice(0, 2000) : '');
    try {
      if (error === null || typeof error !== 'object') return { message: String(error).slice(0, 2000) };
      const { name, message, code, stack } = error;
      return { name: text(name), message: text(message), code: text(code), stack: text(stack) };
    } catch {
      return { message: 'what it threw cannot be read' };
    }
  };
  const fail = (error, of) => send('failed', 0, of, stringify(report(error)));
  const give = (output) => {
    let json;
    try {
      json = stringify(output);
    } catch (error) {
      fail(error, 'output');
      return;
    }
    send('done', 0, '', json);
  };
  const definitionOf = (module) => {
    const definition = module.default;
    if (definition === null || typeof definition !== 'object' || typeof definition.run !== 'function') {
      throw new TypeError('The default export is not defineSkill({ metadata, run }).');
    }
    return definition;
  };
  return {
    describe: (loaded) => {
      loaded.then((module) => give(definitionOf(module).metadata)).catch((error) => fail(error, 'skill'));
    },
    run: (loaded, params) => {
      loaded
        .then((module) => definitionOf(module).run(parse(params), app))
        .then(give, (error) => fail(error, 'skill'))
        .catch((error) => fail(error, 'skill'));
    },
    answer: (id, ok, json) => {
      const promise = waiting.get(id);
      if (promise === undefined) return;
      waiting.delete(id);
      const value = json === '' ? undefined : parse(json);
      if (ok) promise.resolve(value);
      else promise.fail(value.code, value.message);
    },
  };
})`;
