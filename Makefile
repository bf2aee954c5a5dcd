# SPDX-License-Identifier: GPL-2.0
# The way in for people and packagers; `make help` lists it. Kbuild is kbuild's.

KVER	?= $(shell uname -r)
KDIR	?= /lib/modules/$(KVER)/build
PREFIX	?= /usr
DESTDIR	?=
LAB	?=
VERSION	:= $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
SRCDIR	:= $(PREFIX)/src/roceguard-$(VERSION)

# make modules V=1 W=1 C=1: as in the kernel. LAB=1: the lab's NIC, too.
KMAKE	:= $(MAKE) -C $(KDIR) M=$(CURDIR) LAB=$(LAB)

# What DKMS needs to build from.
SOURCES	:= Kbuild Makefile dkms.conf COPYING include kernel

all: modules user

help:
	@echo 'Building:'
	@echo '  make modules       roceguard.ko and roceguard_rdma.ko, against KDIR=$(KDIR)'
	@echo '  make user          the helper, user/build/roceguard'
	@echo '  make install       helper, profiles, man page, completion and service, below DESTDIR=$(DESTDIR)'
	@echo '  make modules_install   the modules of this build, below INSTALL_MOD_PATH'
	@echo '  make dkms-install  hand the modules to DKMS and install them for this kernel'
	@echo '  make dkms-remove   take them back'
	@echo '  make clean'
	@echo 'Trying, in virtual hosts (as root; installs qemu and mmdebstrap if missing):'
	@echo '  make demo          the whole story in under a screen'
	@echo '  make check         all tests;  make check T="bad-input rmmod": some of them'
	@echo '                     ROUNDS_PERCENT=200: twice the rounds of loops such as reloads'
	@echo '  make check-kernels all supported kernels; K="5.10 7.3": some; K=others: all but 6.12'
	@echo '  make check-debug   races, faults, fuzzing on a kernel with checkers (15 min to build, once)'
	@echo '  make bench         figures: link-up, cost of a pass, memory, counters (22 min; ROUNDS=3 for a look)'
	@echo '  make lint          sparse, W=1, shellcheck, cppcheck, yamllint'

modules:
	+$(KMAKE) modules

modules_install:
	+$(KMAKE) modules_install

user:
	$(MAKE) -C user

install: user
	$(MAKE) -C user install PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)

dkms-source:
	install -d $(DESTDIR)$(SRCDIR)
	cp -r $(SOURCES) $(DESTDIR)$(SRCDIR)

dkms-install: dkms-source
	dkms add roceguard/$(VERSION)
	dkms build roceguard/$(VERSION) -k $(KVER)
	dkms install roceguard/$(VERSION) -k $(KVER)

dkms-remove:
	dkms remove roceguard/$(VERSION) --all
	rm -rf $(DESTDIR)$(SRCDIR)

demo:
	@selftests/demo

check:
	@selftests/check $(T)

check-kernels:
	@selftests/check-kernels $(K)

check-debug:
	@selftests/check-debug $(T)

bench:
	@selftests/bench/linkup $(ROUNDS)
	@selftests/bench/counters $(ROUNDS)

lint:
	@selftests/lint

clean:
	$(MAKE) -C user clean
	$(MAKE) -C selftests/unit clean
	if [ -e $(KDIR) ]; then $(KMAKE) clean; fi

.PHONY: all help modules modules_install user install dkms-source dkms-install \
	dkms-remove demo check check-kernels check-debug bench lint clean
