import { LostOnTheWay, type ServerLink } from "./server-link.ts";

/**
 * A server's port as a process reaches it: each call is carried there by the link, and each answer back. Other members stay as they are.
 * @param silence the answer of a call, by its name, where a fault of the link loses it
 * @param answering the server that answers a call, of several with the same port
 */
export const remote = <Port extends object>(
  port: Port,
  link: ServerLink,
  silence: (call: string) => unknown,
  answering: () => Port = () => port,
): Port =>
  new Proxy(port, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      const call = String(name);
      return (...given: unknown[]) =>
        link
          .ask(call, async () => {
            const server = answering();
            const asked: unknown = Reflect.get(server, name);
            if (typeof asked !== "function") throw new TypeError(`a server of the port has no ${call}`);
            const answer: unknown = await Reflect.apply(asked, server, given);
            return answer;
          })
          .catch((error: unknown) => {
            if (!(error instanceof LostOnTheWay)) throw error;
            return silence(call);
          });
    },
  });
