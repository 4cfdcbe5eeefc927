apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: 90-worker-swap-online
  labels:
    machineconfiguration.openshift.io/role: worker
spec:
  config:
    ignition:
      version: 3.5.0
    storage:
      files:
        - path: /etc/openshift/kubelet.conf.d/90-swap.conf
          mode: 420
          overwrite: true
          contents:
            source: data:text/plain;charset=utf-8;base64,{{ readAsset "machine-config/swap/90-swap.conf" | b64enc }}
        - path: /usr/local/bin/kubevirt-tune-watermarks.py
          mode: 493
          overwrite: true
          contents:
            compression: gzip
            source: data:;base64,{{ readAsset "machine-config/swap/kubevirt-tune-watermarks.py" | gzip | b64enc }}
        - path: /usr/local/bin/kubevirt-io-latency-setup.py
          mode: 493
          overwrite: true
          contents:
            compression: gzip
            source: data:;base64,{{ readAsset "machine-config/swap/kubevirt-io-latency-setup.py" | gzip | b64enc }}
    systemd:
      units:
        - name: swap-disk-enable.service
          enabled: true
          contents: |
            [Unit]
            Description=Turn on the swap partition labelled OCPSWAP
            Wants=systemd-udev-settle.service
            After=systemd-udev-settle.service
            Before=kubelet-dependencies.target
            ConditionFirstBoot=no
            ConditionPathExists=/dev/disk/by-partlabel/OCPSWAP

            [Service]
            Type=oneshot
            RemainAfterExit=yes
            ExecStart=/usr/sbin/swapon --priority 100 /dev/disk/by-partlabel/OCPSWAP
            ExecStop=/usr/sbin/swapoff /dev/disk/by-partlabel/OCPSWAP

            [Install]
            RequiredBy=kubelet-dependencies.target
        - name: ocpswap-file-enable.service
          enabled: true
          contents: |
            [Unit]
            Description=Turn on the swap file /var/tmp/ocpswap.file
            RequiresMountsFor=/var/tmp
            Before=kubelet-dependencies.target
            ConditionFirstBoot=no
            ConditionPathExists=/var/tmp/ocpswap.file

            [Service]
            Type=oneshot
            RemainAfterExit=yes
            ExecStart=/usr/sbin/swapon --priority 10 /var/tmp/ocpswap.file
            ExecStop=/usr/sbin/swapoff /var/tmp/ocpswap.file

            [Install]
            RequiredBy=kubelet-dependencies.target
        - name: kubevirt-tune-watermarks.service
          enabled: true
          contents: |
            [Unit]
            Description=Start reclaiming memory earlier where there is swap
            After=swap-disk-enable.service ocpswap-file-enable.service

            [Service]
            Type=oneshot
            RemainAfterExit=yes
            ExecStart=/usr/local/bin/kubevirt-tune-watermarks.py

            [Install]
            WantedBy=multi-user.target
        - name: kubevirt-io-latency-setup.service
          enabled: true
          contents: |
            [Unit]
            Description=Protect the disk latency of system services from swapping
            After=swap-disk-enable.service ocpswap-file-enable.service

            [Service]
            Type=oneshot
            RemainAfterExit=yes
            ExecStart=/usr/local/bin/kubevirt-io-latency-setup.py

            [Install]
            WantedBy=multi-user.target
        - name: swap-hook-config-remove.service
          enabled: true
          contents: |
            [Unit]
            Description=Remove the configuration of the old swap hook, which the kubelet has replaced
            Before=kubelet-dependencies.target
            ConditionPathExists=/run/containers/oci/hooks.d/swap-for-burstable.json

            [Service]
            Type=oneshot
            ExecStart=/usr/bin/rm --force /run/containers/oci/hooks.d/swap-for-burstable.json

            [Install]
            WantedBy=multi-user.target
        - name: swap-hook-script-remove.service
          enabled: true
          contents: |
            [Unit]
            Description=Remove the script of the old swap hook, which the kubelet has replaced
            After=swap-hook-config-remove.service
            ConditionPathExists=/opt/oci-hook-swap.sh

            [Service]
            Type=oneshot
            ExecStart=/usr/bin/rm --force /opt/oci-hook-swap.sh

            [Install]
            WantedBy=multi-user.target
        - name: system.slice
          dropins:
            - name: 50-kubevirt-swap.conf
              contents: |
                [Slice]
                MemorySwapMax=0
                IOWeight=800
                CPUWeight=800
        - name: kubepods.slice
          dropins:
            - name: 50-kubevirt-swap.conf
              contents: |
                [Slice]
                IOWeight=100
