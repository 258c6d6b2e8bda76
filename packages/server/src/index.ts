export { memoryStore, MemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts';
