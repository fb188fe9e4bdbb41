import type { SignerEvent } from "@conclave/cluster";
import { CONTROL } from "@conclave/platform/grpc";
import { Client, credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Control } from "../control.ts";
import { controlHandlers } from "./control-handlers.ts";

let server: Server;
let client: Client;
let isBusy: boolean;
let events: SignerEvent[];
let hears: (event: SignerEvent) => void;

beforeEach(async () => {
  isBusy = false;
  events = [];
  const dispatch = (event: SignerEvent): void => {
    events.push(event);
    if (event.kind === "begin") hears(event);
  };
  const control = new Control(dispatch, {
    isBusy: () => isBusy,
    status: () => expect.fail("nobody asks"),
    keys: () => expect.fail("nobody asks"),
    keyInfo: () => undefined,
    attestation: () => undefined,
    certificate: () => undefined,
    presignatures: () => [],
    signed: () => expect.fail("nobody asks"),
  });
  server = new Server();
  server.addService(CONTROL, controlHandlers(control));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});
afterEach(() => {
  client.close();
  server.forceShutdown();
});

/** Begins a session; the refusal's code, or undefined once the state machine has it. */
const begin = (): Promise<string | undefined> => {
  const { path, requestSerialize, responseDeserialize } = CONTROL.Begin;
  const command = { sessionId: Buffer.alloc(32), expiresAtMs: Date.now() + 1_000, auxiliary: { epoch: 1 } };
  return new Promise((resolve) => {
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, command);
    stream.on("error", () => undefined); // it is cancelled below
    stream.on("data", ({ refusal }) => resolve(refusal?.code));
    hears = () => {
      stream.cancel();
      resolve(undefined);
    };
  });
};

test("a session is begun, and refused while so much waits to be carried out that nothing more should", async () => {
  expect(await begin()).toBe(undefined);
  expect(events.map(({ kind }) => kind)).toContain("begin");
  events.length = 0;
  isBusy = true;
  const refused = await begin();
  expect(refused).toBe("TooManySessions");
  expect(events.filter(({ kind }) => kind === "begin")).toEqual([]);
});
