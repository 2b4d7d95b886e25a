import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Area } from '../server/area.ts';
import { VERSION } from '../server/server.ts';
import { sandboxDocument } from './document.ts';

const TYPES = { css: 'text/css', js: 'text/javascript', png: 'image/png', html: 'text/html' } as const;

/** Nothing is loaded from elsewhere, by the pages of the sandbox and by the viewer. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Files of swagger-ui-dist that the viewer needs. */
const VIEWER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The viewer, with the platform's credentials filled in. */
const startViewer = ({ clientId, clientSecret }: Facts) => `const viewer = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  validatorUrl: null,
  onComplete: () => viewer.preauthorizeBasic('BasicAuth', ${JSON.stringify(clientId)}, ${JSON.stringify(clientSecret)}),
});
`;

/** What the page at `/` tells. */
export interface Facts {
  readonly areas: readonly Area[];
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether provider states ask for a token. */
  readonly statesNeedToken: boolean;
  /** What can be planted, by name. */
  readonly faults: readonly { readonly name: string; readonly breaks: string; readonly says: string }[];
  readonly dialects: readonly { readonly key: string; readonly says: string }[];
}

/** The page at `/`, the OpenAPI document, and a page to read and try it. */
export function registerPages(app: FastifyInstance, facts: Facts): void {
  const eta = new Eta({ autoTrim: false });
  const template = readFileSync(new URL('./start.eta', import.meta.url), 'utf8');
  const viewer = readFileSync(new URL('./reference.html', import.meta.url), 'utf8');
  const require = createRequire(import.meta.url);
  app.get('/', (request, reply) => {
    const host = /^[\w.:[\]-]+$/.exec(request.headers.host ?? '')?.[0] ?? 'localhost';
    const origin = `${request.protocol}://${host}`;
    return send(
      reply,
      'html',
      eta.renderString(template, { ...facts, origin, version: VERSION, steering: steering(facts) }),
    );
  });
  app.get('/openapi.json', (_request, reply) => reply.send(sandboxDocument(facts.areas)));
  app.get('/reference', (_request, reply) => send(reply, 'html', viewer));
  app.get('/reference/start.js', (_request, reply) => send(reply, 'js', startViewer(facts)));
  for (const file of VIEWER) {
    const path = require.resolve(`swagger-ui-dist/${file}`);
    app.get(`/reference/${file}`, (_request, reply) =>
      send(reply, file.split('.').at(-1) as keyof typeof TYPES, readFileSync(path)),
    );
  }
}

/** Operations that only a sandbox has. */
function steering({ areas }: Facts) {
  return areas
    .flatMap(({ routes }) => routes)
    .filter(({ path, summary }) => path.startsWith('/sandbox/') && summary !== undefined);
}

function send(reply: FastifyReply, kind: keyof typeof TYPES, content: string | Buffer): FastifyReply {
  return reply
    .headers({ 'content-security-policy': POLICY })
    .type(`${TYPES[kind]}${kind === 'png' ? '' : '; charset=utf-8'}`)
    .send(content);
}
