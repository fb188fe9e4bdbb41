import { type ServerWritableStream, status } from "@grpc/grpc-js";
import type {
  HealthCheckRequest__Output,
  HealthCheckResponse,
  HealthHandlers,
} from "./generated/proto.gen.ts";

type Watcher = ServerWritableStream<HealthCheckRequest__Output, HealthCheckResponse>;

/** Most watch streams at a time; a further one is refused. */
const WATCHERS_MAX = 64;

/** The standard health service (grpc.health.v1) of a process. It reports one state for the whole process. */
export class HealthService {
  readonly #watchers = new Set<Watcher>();
  #isServing = false;

  /** Informs every watcher of a change. */
  setServing(isServing: boolean): void {
    if (this.#isServing === isServing) return;
    this.#isServing = isServing;
    for (const watcher of this.#watchers) watcher.write(this.#response());
  }

  /** Ends the watch streams, so that a server can stop. */
  close(): void {
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }

  handlers(): HealthHandlers {
    return {
      Check: (call, callback) => {
        if (call.request.service === "") callback(null, this.#response());
        else callback({ code: status.NOT_FOUND, details: "ask for the server as a whole" });
      },
      Watch: (call) => this.#watch(call),
    };
  }

  #response(): HealthCheckResponse {
    return { status: this.#isServing ? "SERVING" : "NOT_SERVING" };
  }

  #watch(call: Watcher): void {
    if (this.#watchers.size >= WATCHERS_MAX) {
      call.destroy(Object.assign(new Error("too many watchers"), { code: status.RESOURCE_EXHAUSTED }));
      return;
    }
    if (call.request.service !== "") {
      call.write({ status: "SERVICE_UNKNOWN" });
      return;
    }
    this.#watchers.add(call);
    call.on("cancelled", () => this.#watchers.delete(call));
    call.write(this.#response());
  }
}
