import { isObject, type Json, type JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { PlatformConfig, PlatformFee } from './records.ts';

/** Changes what the body names and leaves the rest. @throws Refusal */
export function updateConfig(world: World, config: PlatformConfig, body: JsonObject): void {
  const { feeConfigs, cardTokenization2faConfig, webhookEndpoint } = body;
  if (feeConfigs !== undefined) {
    const fee = world.rules.readFee(feeConfigs);
    world.rules.acceptFeeConfig(fee);
    config.fee = fee;
    config.feeConfigs = feeConfigs;
  }
  if (cardTokenization2faConfig !== undefined)
    world.rules.setCardTokenization(config, cardTokenization2faConfig);
  if (webhookEndpoint !== undefined) config.webhookEndpoint = webhookEndpoint as string | null;
}

/** A variable rate, a fixed amount, or both. @throws Refusal */
export function acceptFeeConfig(_world: World, _fee: PlatformFee): void {}

/** @throws Refusal */
export function setCardTokenization(_world: World, config: PlatformConfig, value: Json): void {
  config.cardTokenization2faConfig = value;
}

export function presentConfig(_world: World, config: PlatformConfig): JsonObject {
  const { feeConfigs, cardTokenization2faConfig, webhookEndpoint } = config;
  return { feeConfigs, cardTokenization2faConfig, webhookEndpoint };
}

/**
 * The fee that a configuration or an override means. Their shape is not shown, only that a fee has a variable rate in
 * basis points, a fixed amount, or both; so any spelling of the two is understood. @throws Refusal
 */
export function readFee(world: World, value: Json): PlatformFee {
  const found = { basisPoints: 0, fixed: 0n };
  walk(value, '', (name, number) => {
    if (number < 0) throw world.rules.refuseFee();
    if (/bps|basis|variable|rate|percent/i.test(name)) found.basisPoints += Number(number);
    else found.fixed += BigInt(Math.round(Number(number)));
  });
  return found;
}

export function refuseFee(_world: World): Refusal {
  return new Refusal(400, 'INVALID_INPUT', 'A fee must not be negative.');
}

function walk(value: Json, name: string, visit: (name: string, number: number | bigint) => void): void {
  if (typeof value === 'number' || typeof value === 'bigint') visit(name, value);
  else if (Array.isArray(value)) value.forEach((item) => walk(item as Json, name, visit));
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      // What an amount is called may stand one level up: {"fixed": {"amount": 100}}.
      if (item !== undefined) walk(item, /^(amount|value)$/i.test(key) && name !== '' ? name : key, visit);
    }
  }
}
