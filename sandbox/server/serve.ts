import { setTimeout as delay } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { World } from '../world/world.ts';
import { type Call, type Reply, type Route, type State, Unpreparable } from './area.ts';
import { inlined } from './contract-schemas.ts';
import { isObject, type Json, type JsonObject, parseJson, withDoubles } from './json.ts';
import { readYaml } from './read-contract.ts';
import { Refusal } from './refusal.ts';

/** Answers one call on a known route: who calls, what with, and then the work. Never rejects. */
export async function serveCall(call: Call, route: Route): Promise<Reply> {
  const { world } = call;
  if (world.config.latency > 0) await delay(world.config.latency);
  return finished(call, async () => {
    world.behaviour.passTime();
    if (call.rawBody.length > world.config.bodyLimit)
      throw world.behaviour.refuseTooLarge(world.config.bodyLimit);
    call.caller = world.behaviour.identifyCaller(call, route);
    call.body = world.behaviour.readBody(call, route);
    return world.behaviour.handleCall(call, route);
  });
}

/** Answers a call that no route takes. */
export function serveRefusal(call: Pick<Call, 'world'>, refuse: () => Refusal): Promise<Reply> {
  return finished(call, () => {
    throw refuse();
  });
}

async function finished({ world }: Pick<Call, 'world'>, work: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return world.behaviour.finishReply(await work());
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    const refusal = error instanceof Refusal ? error : world.behaviour.refuseInternal();
    return world.behaviour.finishReply(world.behaviour.presentRefusal(refusal));
  }
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
const validators = new WeakMap<State, ReturnType<typeof ajv.compile>>();

/**
 * Answers `POST /<world>/provider-states` with `{ state, params?, action? }`: 200 and the values of the state, 404 for a
 * state that nobody serves, 422 for params that cannot be prepared, 400 for anything else.
 */
export async function serveStates(
  world: World,
  states: ReadonlyMap<string, State>,
  bytes: Buffer,
): Promise<Reply> {
  const wanted = readWanted(bytes);
  if (!wanted)
    return problem(400, 'Send a JSON object {"state": "<name>", "params": {…}, "action": "setup"}.');
  const state = states.get(wanted.name);
  if (!state) return problem(404, `No state ${wanted.name}. There are: ${[...states.keys()].join(', ')}.`);
  if (wanted.action === 'teardown') {
    state.teardown?.(world, wanted.params);
    return { status: 200, body: {} };
  }
  const wrong = wrongParams(state, wanted.params);
  if (wrong) return problem(422, `State ${state.name}: ${wrong}.`);
  try {
    return { status: 200, body: await state.setup(world, wanted.params) };
  } catch (error) {
    if (error instanceof Unpreparable) return problem(422, `State ${state.name}: ${error.message}`);
    throw error;
  }
}

interface Wanted {
  readonly name: string;
  readonly params: JsonObject;
  readonly action: 'setup' | 'teardown';
}

function readWanted(bytes: Buffer): Wanted | undefined {
  let body: Json;
  try {
    body = parseJson(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(body)) return undefined;
  const { state, params = {}, action = 'setup' } = body;
  if (typeof state !== 'string' || !isObject(params)) return undefined;
  return action === 'setup' || action === 'teardown' ? { name: state, params, action } : undefined;
}

function wrongParams(state: State, params: JsonObject): string | undefined {
  let validate = validators.get(state);
  if (!validate) {
    validate = ajv.compile(
      inlined({ type: 'object', properties: paramsOf(state.name), additionalProperties: false }) as object,
    );
    validators.set(state, validate);
  }
  if (validate(withDoubles(params))) return undefined;
  return (validate.errors ?? [])
    .map(({ instancePath, message, params: extra }) =>
      'additionalProperty' in extra
        ? `unknown param ${String(extra['additionalProperty'])}`
        : `${instancePath.slice(1)} ${message}`,
    )
    .join(', ');
}

interface WrittenState {
  readonly name: string;
  readonly like?: string;
  readonly params?: readonly { readonly name: string }[];
}

let written: readonly WrittenState[] | undefined;
let types: Readonly<Record<string, object>> | undefined;

/** The params of a state, as states.yaml names them, with their types. One that it does not name is refused. */
function paramsOf(name: string): Record<string, object> {
  written ??= readYaml('../../target/states/states.yaml') as WrittenState[];
  types ??= (readYaml('../operations.yaml') as { params: Record<string, object> }).params;
  const { like, params = [] } = written.find((one) => one.name === name)!;
  const own = Object.fromEntries(params.map((param) => [param.name, types![param.name]!]));
  return { ...(like === undefined ? {} : paramsOf(like)), ...own };
}

const problem = (status: number, message: string): Reply => ({ status, body: { message } });
