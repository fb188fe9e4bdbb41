import { untilServed } from "./until.ts";

/** The operations that client libraries have driven with success, as `area.operation`. */
export class Driven {
  readonly #operations = new Set<string>();

  has(operation: string): boolean {
    return this.#operations.has(operation);
  }

  /** The same client; its successful operations are recorded, and one that needs more live signers is sent again. */
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
          const answer = await untilServed(
            async (): Promise<unknown> => Reflect.apply(operation, target, request),
          );
          this.#operations.add(`${area}.${String(name)}`);
          return answer;
        };
      },
    });
  }
}
