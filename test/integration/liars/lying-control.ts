import { readFileSync } from "node:fs";
import {
  CONTROL,
  HEALTH,
  HealthService,
  type RosterSigner,
  type RunningServer,
  type SignerStatus,
  serve,
  type TlsIdentity,
} from "@conclave/platform";
import {
  Client,
  credentials,
  type MethodDefinition,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Premises } from "../further-family/cluster.ts";
import { memberIdentity } from "../signer-access.ts";

const GRACE_MS = 100;

const ADMISSION = {
  "conclave.signer.v2.Control": ["orchestrator"],
  "grpc.health.v1.Health": ["orchestrator"],
} as const;

const asIs = (bytes: Buffer): Buffer => bytes;

/** The methods of Control, with undecoded messages. */
const methods: readonly (readonly [string, MethodDefinition<Buffer, Buffer>])[] = Object.entries(CONTROL).map(
  ([name, { path, requestStream, responseStream }]) => [
    name,
    {
      path,
      requestStream,
      responseStream,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  ],
);
const definition: ServiceDefinition = Object.fromEntries(methods);

/** A liar's statement about the auxiliary information that it uses. */
type Shown = Pick<SignerStatus, "auxiliaryEpoch" | "auxiliaryDigest">;

const shownIn = (reply: Buffer, { auxiliaryEpoch, auxiliaryDigest }: Shown): Buffer => {
  const { responseDeserialize, responseSerialize } = CONTROL.GetStatus;
  const forged = {
    ...responseDeserialize(reply),
    auxiliaryEpoch,
    auxiliaryDigest: Buffer.from(auxiliaryDigest),
  };
  return responseSerialize(forged);
};

const SILENT = { code: status.UNAVAILABLE, details: "the liar says nothing" };

/**
 * A false signer for the orchestrator. It has the signer's certificate and forwards calls and replies; when a test says so, it
 * lies about its auxiliary information, or falls silent.
 */
export class LyingControl {
  readonly #health = new HealthService();
  readonly #client: Client;
  #server: RunningServer | undefined;
  #shown: Shown | undefined;
  #isSilent = false;

  private constructor(address: string, authority: Buffer, orchestrator: TlsIdentity) {
    const key = Buffer.from(orchestrator.key.export({ type: "pkcs8", format: "pem" }));
    const tls = credentials.createSsl(authority, key, Buffer.from(orchestrator.certificate));
    this.#client = new Client(address, tls, { "grpc.ssl_target_name_override": "localhost" });
  }

  static async open(
    { layout, clusterId }: Premises,
    { index, address }: RosterSigner,
  ): Promise<LyingControl> {
    const known = { layout, description: { clusterId } };
    const [own, orchestrator] = await Promise.all([
      memberIdentity(known, layout.signer(index)),
      memberIdentity(known, layout.orchestrator),
    ]);
    const control = new LyingControl(address, readFileSync(layout.ca), orchestrator);
    control.#server = await serve("127.0.0.1:0", own, ADMISSION, [
      { definition, implementation: control.#implementation() },
      { definition: HEALTH, implementation: control.#health.handlers() },
    ]);
    control.#health.setServing(true);
    return control;
  }

  get address(): string {
    return `127.0.0.1:${this.#server?.port ?? 0}`;
  }

  /** @param shown undefined: the signer's true status */
  show(shown: Shown | undefined): void {
    this.#shown = shown;
  }

  /** Stops answering calls, although its health check still succeeds. */
  beSilent(isSilent: boolean): void {
    this.#isSilent = isSilent;
  }

  async close(): Promise<void> {
    this.#health.close();
    this.#client.close();
    await this.#server?.stop(GRACE_MS);
  }

  #implementation(): UntypedServiceImplementation {
    return Object.fromEntries(
      methods.map(([name, method]) => [
        name,
        method.responseStream
          ? (call: ServerWritableStream<Buffer, Buffer>) => this.#stream(method, call)
          : (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) =>
              this.#unary(method, call.request, reply),
      ]),
    );
  }

  #stream({ path }: MethodDefinition<Buffer, Buffer>, call: ServerWritableStream<Buffer, Buffer>): void {
    if (this.#isSilent) {
      call.emit("error", SILENT);
      return;
    }
    const asked = this.#client.makeServerStreamRequest(path, asIs, asIs, call.request);
    asked.on("data", (said: Buffer) => call.write(said));
    asked.on("end", () => call.end());
    asked.on("error", (error) => call.emit("error", error));
    call.on("cancelled", () => asked.cancel());
  }

  #unary({ path }: MethodDefinition<Buffer, Buffer>, request: Buffer, reply: sendUnaryData<Buffer>): void {
    if (this.#isSilent) {
      reply(SILENT);
      return;
    }
    this.#client.makeUnaryRequest(path, asIs, asIs, request, (error, said) => {
      const isLie = said !== undefined && path === CONTROL.GetStatus.path && this.#shown !== undefined;
      reply(error, isLie && this.#shown !== undefined ? shownIn(said, this.#shown) : said);
    });
  }
}
