import { expect, test } from '@playwright/test';
import { HttpClient } from '../../../client/http/http-client.ts';
import { RunFolder } from '../../../suite/watch/run-folder.ts';
import { StatesWatch } from '../../../suite/watch/states-watch.ts';
import { answerOf, bytesServer } from '../../support/servers.ts';
import { scratch } from '../../support/run-assay.ts';
import { fakeTime } from './fake-time.ts';

/** Sends to somebody who answers, or closes the connection, as told for each request. */
async function states(answers: (request: number) => boolean) {
  let requests = 0;
  const server = await bytesServer((socket) =>
    answers((requests += 1)) ? socket.end(answerOf('{}')) : socket.destroy(),
  );
  const http = new HttpClient({ timeoutMs: 1_000 });
  const path = scratch('run');
  const worker = () => new StatesWatch(http, server.url, new RunFolder(path), fakeTime(Date.now()));
  return {
    worker,
    ask: (who: StatesWatch) => who.send({ method: 'POST', url: server.url, headers: {}, body: '{}' }),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      await http.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a request that was lost in a restart is sent again once somebody is back', async () => {
  await using it = await states((request) => request > 4);
  expect((await it.ask(it.worker())).response?.status).toBe(200);
});

test('after somebody has gone nothing is sent, and a new worker need not wait anew', async () => {
  await using it = await states(() => false);
  const first = await it.ask(it.worker());
  expect(first).toMatchObject({ heldBack: true });
  expect(first.failure).toMatch(/^not sent: nobody has answered there since \S+ \(the connection was closed/);
  const requests = it.requests();
  expect(await it.ask(it.worker())).toMatchObject({ heldBack: true });
  expect(it.requests()).toBe(requests);
});

test('an answer of any kind is an answer', async () => {
  await using server = await bytesServer((socket) => socket.end(answerOf('{}', 'HTTP/1.1 500 Oh')));
  const http = new HttpClient({ timeoutMs: 1_000 });
  const watch = new StatesWatch(http, server.url, new RunFolder(undefined), fakeTime());
  const { response } = await watch.send({ method: 'POST', url: server.url, headers: {}, body: '{}' });
  expect([response?.status, server.received.length]).toEqual([500, 1]);
  await http.close();
});
