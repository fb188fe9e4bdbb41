import { DfnsError, PolicyPendingError } from "@dfns/sdk";
import { z } from "zod";
import {
  type ClientOperation,
  NEWEST_NPM_CLIENT,
  PYTHON_CLIENT,
  readClientLists,
  shapeOf,
} from "../../house/client-operations.ts";
import { Driven } from "../driven.ts";
import type { PythonAccess, PythonAnswer, PythonClient } from "./python-client.ts";

/** The Python library always sends a token, which cannot be empty. */
const NO_TOKEN = "none";

/** The options that every generation of the npm library has. */
const optionsSchema = z.looseObject({
  baseUrl: z.string(),
  authToken: z.string().default(NO_TOKEN),
  signer: z
    .looseObject({ options: z.looseObject({ credId: z.string(), privateKey: z.string() }) })
    .optional(),
});
const requestSchema = z
  .looseObject({ body: z.unknown().optional(), query: z.unknown().optional() })
  .default({});

const accessOf = (client: object): PythonAccess => {
  const { baseUrl, authToken, signer } = optionsSchema.parse(Reflect.get(client, "apiOptions"));
  const access = { baseUrl, token: authToken };
  if (signer === undefined) return access;
  const { credId: id, privateKey } = signer.options;
  return { ...access, credential: { id, privateKey } };
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const parametersOf = ({ path }: ClientOperation): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** An operation of the npm library, with the equivalent of the Python library. */
interface Pair {
  readonly npm: ClientOperation;
  readonly python: ClientOperation;
}

const nameOf = ({ area, name }: ClientOperation): string => `${area}.${name}`;

const pairs = (): ReadonlyMap<string, Pair> => {
  const lists = readClientLists();
  const python = new Map((lists[PYTHON_CLIENT] ?? []).map((each) => [shapeOf(each), each]));
  return new Map(
    (lists[NEWEST_NPM_CLIENT] ?? []).flatMap((npm) => {
      const same = python.get(shapeOf(npm));
      return same === undefined ? [] : [[nameOf(npm), { npm, python: same }] as const];
    }),
  );
};

/** Operations whose answers the Python library discards; the npm library calls them again to return them. */
const DISCARDED: ReadonlySet<string> = new Set(["auth.list_audit_logs"]);

/**
 * Makes clients of the npm library call the Python library's equivalent operations, so that tests written for one also test the
 * other. Errors are those of the npm library, with the status and message that the Python library raised.
 */
export class PythonDriven extends Driven {
  readonly #python: PythonClient;
  readonly #pairs = pairs();
  readonly #driven = new Set<string>();
  readonly #misfits = new Set<string>();

  constructor(python: PythonClient) {
    super();
    this.#python = python;
  }

  /** The successful operations, by the Python library's names. */
  get driven(): ReadonlySet<string> {
    return this.#driven;
  }

  /** Answers that did not match the Python library's types. */
  get misfits(): readonly string[] {
    return [...this.#misfits].sort();
  }

  override watch<Client extends object>(client: Client): Client {
    const access = accessOf(client);
    const areaOf = (name: string, area: object): object =>
      new Proxy(area, {
        get: (target, operation) => {
          const pair = this.#pairs.get(`${name}.${String(operation)}`);
          const own: unknown = Reflect.get(target, operation);
          if (typeof own !== "function") return own;
          if (pair === undefined) return own.bind(target);
          return async (request: unknown): Promise<unknown> => {
            const value = await this.#carryOut(access, pair, request);
            return DISCARDED.has(nameOf(pair.python)) ? Reflect.apply(own, target, [request]) : value;
          };
        },
      });
    return super.watch(
      new Proxy(client, {
        get: (target, name) => {
          const area: unknown = Reflect.get(target, name);
          return typeof area === "object" && area !== null ? areaOf(String(name), area) : area;
        },
      }),
    );
  }

  async #carryOut(access: PythonAccess, { npm, python }: Pair, request: unknown): Promise<unknown> {
    const { body, query, ...rest } = requestSchema.parse(request);
    const values = parametersOf(npm).map((name) => rest[name]);
    const named = {
      ...Object.fromEntries(parametersOf(python).map((name, at) => [snake(name), values[at]])),
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { query }),
    };
    return this.#answer(nameOf(python), await this.#python.call(access, nameOf(python), named));
  }

  #answer(operation: string, answer: PythonAnswer): unknown {
    if ("message" in answer) {
      const { status, message, details } = answer;
      throw new DfnsError(status ?? -1, message, { body: { error: { status, message, details }, message } });
    }
    this.#driven.add(operation);
    for (const each of answer.misfits) this.#misfits.add(each.replace(/\[\d+\]/g, "[]"));
    if (answer.status === PolicyPendingError.HTTP_ACCEPTED) {
      throw new PolicyPendingError(contextSchema.parse(answer.value));
    }
    return answer.value;
  }
}

const contextSchema = z.looseObject({});
