import type { Answer, Caller } from './caller.ts';

/** Values of a prepared state, whatever it is. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Values = Record<string, any>;

/** The sandbox as one platform sees it, with the words of quotes. */
export class Service {
  readonly caller: Caller;
  readonly values: Values;

  /** @param values of the state at hand; their credentials are used, where they hold some */
  constructor(caller: Caller, values: Values) {
    this.caller = caller;
    this.values = values;
  }

  static async at(caller: Caller, state: string, params: object = {}): Promise<Service> {
    return new Service(caller, await caller.state<Values>(state, params));
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { clientId, clientSecret } = this.values['clientId'] ? this.values : this.caller.sandbox;
    return this.caller.send(method, path, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, body);
  }

  quote(changes: object = {}): Promise<Answer> {
    return this.send('POST', '/quotes', { ...this.values['body'], ...changes });
  }

  read(quote: Answer): Promise<Answer> {
    return this.send('GET', `/quotes/${quote.body.id}`);
  }

  execute(quote: Answer): Promise<Answer> {
    return this.send('POST', `/quotes/${quote.body.id}/execute`);
  }

  authorize(quote: Answer, proof: object = { code: this.values['smsCode'] }): Promise<Answer> {
    return this.send('POST', `/quotes/${quote.body.id}/authorize`, proof);
  }

  async pass(seconds: number): Promise<void> {
    await this.caller.state('clock', { advanceSeconds: seconds, customerId: this.values['customerId'] });
  }

  async balance(): Promise<number> {
    const { body } = await this.send(
      'GET',
      `/customers/internal-accounts?customerId=${this.values['customerId']}`,
    );
    return body.data.find(({ id }: { id: string }) => id === this.values['sourceAccountId']).balance.amount;
  }
}
