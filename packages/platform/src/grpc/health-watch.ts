import type { Client, ClientReadableStream } from "@grpc/grpc-js";
import type { HealthCheckResponse__Output } from "./generated/proto.gen.ts";
import { HEALTH } from "./proto.ts";

const RETRY_MS = 200;

/** Follows a server's health until it is closed; a lost stream counts as not serving and is opened again. */
export class HealthWatch {
  readonly #client: Client;
  readonly #changed: (isServing: boolean) => void;
  #known: boolean | undefined;
  #stream: ClientReadableStream<HealthCheckResponse__Output> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(client: Client, changed: (isServing: boolean) => void) {
    this.#client = client;
    this.#changed = changed;
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#stream?.cancel();
  }

  #open(): void {
    const { path, requestSerialize, responseDeserialize } = HEALTH.Watch;
    const stream = this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {
      service: "",
    });
    this.#stream = stream;
    let isOver = false;
    const lost = (): void => {
      if (isOver || this.#isClosed) return;
      isOver = true;
      this.#retry = setTimeout(() => this.#open(), RETRY_MS); // before the report: its listener may close this watch
      this.#report(false);
    };
    stream.on("data", ({ status }: HealthCheckResponse__Output) => this.#report(status === "SERVING"));
    stream.on("error", lost);
    stream.on("end", lost);
  }

  #report(isServing: boolean): void {
    if (this.#isClosed || this.#known === isServing) return;
    this.#known = isServing;
    this.#changed(isServing);
  }
}
