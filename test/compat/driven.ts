import { untilServed } from "./until.ts";

/** Operations that need each signer: on a busy machine one may briefly not answer. */
const NEED_EACH_SIGNER: ReadonlySet<string> = new Set([
  "createKey",
  "createWallet",
  "importKey",
  "importWallet",
]);

/** The operations that client libraries have driven with success, as `area.operation`. */
export class Driven {
  readonly #operations = new Set<string>();

  has(operation: string): boolean {
    return this.#operations.has(operation);
  }

  /** The same client; its successful operations are recorded, and one that needs each signer is sent again while one is away. */
  watch<Client extends object>(client: Client): Client {
    return new Proxy(client, {
      get: (target, name) => {
        const area: unknown = Reflect.get(target, name);
        return typeof area === "object" && area !== null ? this.#watchArea(String(name), area) : area;
      },
    });
  }

  #watchArea(area: string, operations: object): object {
    return new Proxy(operations, {
      get: (target, name) => {
        const operation: unknown = Reflect.get(target, name);
        if (typeof operation !== "function") return operation;
        return async (...request: readonly unknown[]): Promise<unknown> => {
          const send = async (): Promise<unknown> => Reflect.apply(operation, target, request);
          const answer = await (NEED_EACH_SIGNER.has(String(name)) ? untilServed(send) : send());
          this.#operations.add(`${area}.${String(name)}`);
          return answer;
        };
      },
    });
  }
}
