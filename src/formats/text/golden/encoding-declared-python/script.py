#!/usr/bin/env python3
# -*- coding: iso-8859-15 -*-
print('Preis: 5 €')
