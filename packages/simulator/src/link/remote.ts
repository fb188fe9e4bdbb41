import type { ServerLink } from "./server-link.ts";

/** A server's port as a process reaches it: each call is carried there by the link, and each answer back. Other members stay as they are. */
export const remote = <Port extends object>(port: Port, link: ServerLink): Port =>
  new Proxy(port, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) =>
        link.ask(String(name), async () => {
          const answer: unknown = await Reflect.apply(member, target, given);
          return answer;
        });
    },
  });
