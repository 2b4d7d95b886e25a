/** What Playwright does before the first test: it reads the configuration, and calls what that names. */
import type { FullConfig } from '@playwright/test';
import globalSetup from '../../global-setup.ts';

// Read anew each time that this is.
const { search } = new URL(import.meta.url);
const { default: config } = (await import(`../../playwright.config.ts${search}`)) as { default: FullConfig };
await globalSetup(config);
