import { useEffect, useState, useSyncExternalStore } from 'react';
import { AppState, Button, Text, View } from 'react-native';
import { device } from './src/device.ts';
import { createPayments } from './src/payments.ts';

// The address of your machine in its network: on a phone, `localhost` is the phone.
const { client, journal } = createPayments('http://192.168.0.2:3000', device);

export default function App() {
  const pending = useSyncExternalStore(subscribe, records);
  const [status, setStatus] = useState('');

  useEffect(() => {
    // Also tells of payments that were made before the app was closed.
    const forget = journal.onSettled('pay', (settled) => {
      setStatus(settled.kind === 'succeeded' ? `Paid ${settled.result.cents} cents.` : 'Not paid.');
    });
    // The first operation of the client gives the journal a way to send what it has found.
    client.paymentCount.query().then(
      (count) => setStatus(`${count} payments so far.`),
      () => setStatus('The server cannot be reached.'),
    );
    // Timers stand still while an app is in the background.
    const subscription = AppState.addEventListener('change', (state) => {
      if (state === 'active') journal.resume();
    });
    return () => {
      forget();
      subscription.remove();
    };
  }, []);

  return (
    <View style={{ flex: 1, justifyContent: 'center', padding: 24 }}>
      <Button title="Pay €12.00" onPress={pay} />
      <Text>{status}</Text>
      {pending.map(({ id, state, attempts }) => (
        <Text key={id}>
          €12.00: {state}, {attempts} attempts
        </Text>
      ))}
    </View>
  );
}

/** How it ends, `onSettled` says: also if that is after the app was closed. */
function pay(): void {
  client.pay.mutate({ cents: 1200 }).catch(() => {});
}

const subscribe = (listener: () => void) => journal.subscribe(listener);
const records = () => journal.records();
