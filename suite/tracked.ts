/**
 * A read-only view of a JSON value that reports every property that is read, as a JSON pointer. It lets a failing check
 * say which part of an answer it stands on, so that a breach of shape there is not accused a second time.
 */
export function tracked<T>(value: T, onRead: (pointer: string) => void, pointer = ''): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value as object, {
    get(target, key, receiver) {
      const inner: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || typeof inner === 'function') return inner;
      const path = `${pointer}/${key}`;
      onRead(path);
      return tracked(inner, onRead, path);
    },
    has(target, key) {
      if (typeof key === 'string') onRead(`${pointer}/${key}`);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      if (typeof key === 'string') onRead(`${pointer}/${key}`);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    set() {
      throw new TypeError('an answer cannot be changed');
    },
  }) as T;
}
