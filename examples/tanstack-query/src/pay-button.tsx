import { mintKey } from '@onceward/core';
import { useMutation } from '@tanstack/react-query';
