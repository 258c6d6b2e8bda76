// Of what examples/expo imports, the part that it uses: installing Expo takes longer than our tests.
// Written by hand, after expo-crypto 57, expo-sqlite 56, netinfo 12 and what React Native documents.

declare module 'expo-crypto' {
  export function getRandomValues<T extends Int8Array | Uint8Array | Uint32Array>(array: T): T;
}

declare module 'expo-sqlite' {
  type BindValue = string | number | null | boolean | Uint8Array;
  export class SQLiteDatabase {
    execAsync(source: string): Promise<void>;
    getAllAsync<T>(source: string, params: BindValue[] | Record<string, BindValue>): Promise<T[]>;
    getAllAsync<T>(source: string, ...params: BindValue[]): Promise<T[]>;
  }
  export function openDatabaseSync(databaseName: string): SQLiteDatabase;
}

declare module '@react-native-community/netinfo' {
  interface NetInfoState {
    readonly isConnected: boolean | null;
  }
  const NetInfo: { addEventListener(listener: (state: NetInfoState) => void): () => void };
  export default NetInfo;
}

declare module 'react-native' {
  import type { ReactElement, ReactNode } from 'react';

  type AppStateStatus = 'active' | 'background' | 'inactive' | 'unknown' | 'extension';
  export const AppState: {
    addEventListener(type: 'change', listener: (state: AppStateStatus) => void): { remove(): void };
  };
  export function Button(props: { title: string; onPress: () => void }): ReactElement;
  export function Text(props: { children?: ReactNode }): ReactElement;
  export function View(props: { style?: object; children?: ReactNode }): ReactElement;
}
