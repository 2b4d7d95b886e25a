/** Resolve hook: whoever asks for Playwright's test gets its stand-in. */
const STAND_IN = new URL('./stand-in.ts', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  next(specifier === '@playwright/test' ? STAND_IN : specifier, context);
